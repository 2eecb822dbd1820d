"""Heddle's verdict of one program of a suite. HEDDLE_BINARIES: a folder with `heddle`."""
import concurrent.futures
import json
import os
import subprocess

HEDDLE = os.path.join(os.environ.get("HEDDLE_BINARIES", "build/bin"), "heddle")


def check(path, flags, folder, seconds):
    """(exit code, findings as events). `folder`: where caches may be written."""
    command = [HEDDLE, "check", "--full", "--no-daemon", f"--time-limit={seconds}", "--format=jsonl", path.name, "--", *flags]
    environment = dict(os.environ, XDG_CACHE_HOME=f"{folder}/cache", HEDDLE_STATE_DIR=f"{folder}/state")
    run = subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, text=True, errors="replace",
                         check=False)
    events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return run.returncode, [event for event in events if event["type"] == "finding"]


def check_all(items, judge, jobs):
    """The results of judge(item), in the order of the items."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from zip(items, pool.map(judge, items))


def print_table(counts, what):
    print(f"\n{sum(counts.values())} {what}")
    for kind, count in counts.most_common():
        print(f"| {kind} | {count} |")
