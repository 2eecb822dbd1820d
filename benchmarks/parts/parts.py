"""One full search on one core, and in parts: on all cores of this machine, and by a worker of another node that takes parts
from a folder, as `heddle nightly --slurm` starts it, left alone and killed again and again.

    parts.py [--binaries DIR] [--more N]     N: of the program, 0 to 4; each takes about four times as long as the one
                                             before (2: about 40 s on one idle core of 2025)

Prints of each the wall time, its share of the first, the processor time of all and of the busiest node, its share of the
first, and the load of the machine. Wall time says something on an idle machine only: others lengthen it. Exit code 1:
another verdict or another number of interleavings.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SOURCE = Path(__file__).parent / "relaxed.c"
PAUSE, CHANCE = 1.0, 0.1  # of the killed worker: each second with this chance


class Heddle:
    def __init__(self, binaries, home, more):
        self.command = [str(Path(binaries).resolve() / "heddle"), "full", "--no-daemon", "--format=jsonl", str(SOURCE), "--",
                        f"-DMORE={more}"]
        self.home = home
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("HEDDLE_", "XDG_"))}
        self.environment |= {"HOME": home, "HEDDLE_WEAK_SECONDS": "0"}
        self.runs = 0

    def start(self, **variables):
        self.runs += 1
        own = {"HEDDLE_CACHE_DIR": f"{self.home}/{self.runs}.cache", "HEDDLE_STATE_DIR": f"{self.home}/state"}
        out = open(f"{self.home}/{self.runs}.out", "w+")
        process = subprocess.Popen(self.command, env=self.environment | own | variables, stdout=out,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        process.out = out
        return process


def ended(process):
    """Processor seconds, those of its children included, once it has ended."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def measure(heddle, workers, killed=False, **variables):
    begin = time.monotonic()
    parts = f"{heddle.home}/{heddle.runs}.parts"
    process = heddle.start(**variables, **({"HEDDLE_PARTS": parts} if workers else {}))
    helpers = [heddle.start(HEDDLE_EXPLORERS="1", HEDDLE_PARTS_WORKER=parts) for _ in range(workers)]
    over = threading.Event()
    deaths = [0]

    def kill():
        pick = random.Random(7)
        while killed and not over.wait(PAUSE):
            for n, helper in enumerate(helpers):
                if pick.random() < CHANCE:
                    os.killpg(helper.pid, signal.SIGKILL)
                    ended(helper)
                    helpers[n] = heddle.start(HEDDLE_EXPLORERS="1", HEDDLE_PARTS_WORKER=parts)
                    deaths[0] += 1

    killer = threading.Thread(target=kill)
    killer.start()
    used = [ended(process)]
    seconds = time.monotonic() - begin
    over.set()
    killer.join()
    used += [ended(helper) for helper in helpers]
    process.out.seek(0)
    last = json.loads(process.out.read().splitlines()[-1])
    return seconds, used, (last["verdict"], last["scope"]["full"], last["stats"]["executions"]), deaths[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", default="build/bin")
    parser.add_argument("--more", type=int, default=2, choices=range(5))
    arguments = parser.parse_args()
    ways = [("one core", 0, False, {"HEDDLE_EXPLORERS": "1"}), ("two cores", 0, False, {"HEDDLE_EXPLORERS": "2"}),
            ("two nodes", 1, False, {"HEDDLE_EXPLORERS": "1"}), ("two nodes, one killed", 1, True, {"HEDDLE_EXPLORERS": "1"})]
    wrong, first = 0, None
    print(f"{'':<24}{'seconds':>9}{'share':>7}{'processor':>11}{'busiest':>9}{'share':>7}{'killed':>8}{'interleavings':>15}"
          f"{'load':>7}")
    with tempfile.TemporaryDirectory(prefix="heddle-parts-") as home:
        heddle = Heddle(arguments.binaries, home, arguments.more)
        for name, workers, killed, variables in ways:
            load = os.getloadavg()[0]
            seconds, used, answer, deaths = measure(heddle, workers, killed, **variables)
            first = first or (seconds, used[0], answer)
            print(f"{name:<24}{seconds:>9.1f}{seconds / first[0]:>7.2f}{sum(used):>11.1f}{max(used):>9.1f}"
                  f"{max(used) / first[1]:>7.2f}{deaths:>8}{answer[2]:>15}{load:>7.1f}", flush=True)
            if answer != first[2]:
                print(f"  another answer: {answer}, {first[2]} on one core", file=sys.stderr)
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
