"""Heddle's verdict of one program of a suite. HEDDLE_BINARIES: a folder with `heddle`."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
from pathlib import Path

BINARIES = os.environ.get("HEDDLE_BINARIES", Path(__file__).resolve().parents[2] / "build/bin")
HEDDLE = os.path.join(BINARIES, "heddle")


def arguments(suite, tests):
    """Of the command line; `tests`: the folder that a checkout of the suite has."""
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", default="", help="of the tests whose path has this text")
    parser.add_argument("--seconds", type=float, default=10, help="for each program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not (options.checkout / tests).is_dir():
        sys.exit(f"{Path(sys.argv[0]).name}: {options.checkout} has no folder {tests}: name a checkout of {suite}")
    return options


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
