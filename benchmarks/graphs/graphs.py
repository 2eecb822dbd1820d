"""Execution graphs per second: each program of programs/ with growing N, under RC11, through the command `heddle`.

    graphs.py [--binaries DIR] [--small]     --small: only the sizes that take a moment, for the test of the counts

The number of graphs is compared with a formula, or with the number that the toys of tests/explore have. Exit code 1:
another number.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
FIB = {3: 175, 4: 1764, 5: 19404, 6: 226512}  # of the toys
SIZES = [  # program, N, graphs, small
    *(("fib", n, FIB[n], n < 5) for n in range(3, 7)),
    *(("readers_writer", n, 2**n, n < 9) for n in (6, 10)),
    *(("last_zero", n, (n + 3) * 2 ** (n - 2), n < 6) for n in (3, 5, 8, 10)),
    *(("counters", n, math.factorial(n), n < 6) for n in (4, 5, 7, 8)),
]


def explore(heddle, program, n, home):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("HEDDLE_", "XDG_"))}
    environment |= {"HOME": home, "HEDDLE_RUNTIME_DIR": home + "/run"}
    result = subprocess.run(
        [heddle, "check", "--full", "--memory-model=rc11", "--plain-accesses=visible", "--no-daemon", "--format=jsonl",
         PROGRAMS / f"{program}.c", "--", f"-DN={n}"],
        env=environment, capture_output=True, stdin=subprocess.DEVNULL, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{program} {n}: {result.stdout}{result.stderr}")
    return json.loads(result.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", default="build/bin")
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    wrong = 0
    print(f"{'program':<16}{'N':>3}{'graphs':>10}{'seconds':>9}{'a second':>10}{'events a graph':>16}")
    with tempfile.TemporaryDirectory(prefix="heddle-graphs-") as home:
        for program, n, expected, small in SIZES:
            if arguments.small and not small:
                continue
            verdict = explore(Path(arguments.binaries) / "heddle", program, n, home)
            stats = verdict["stats"]
            seconds = stats["ms"]["explore"] / 1000
            graphs = stats["graphs"]
            print(f"{program:<16}{n:>3}{graphs:>10}{seconds:>9.2f}{graphs / seconds:>10.0f}"
                  f"{stats['events'] / max(1, graphs):>16.1f}")
            complete = verdict["verdict"] == "clear" and verdict["scope"]["full"] == "complete"
            if graphs != expected or stats["blocked"] != 0 or not complete:
                print(f"  expected {expected} graphs, none blocked, in a complete search", file=sys.stderr)
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
