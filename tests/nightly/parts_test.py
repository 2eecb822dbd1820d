"""A full search in parts: on several cores, and by workers that take parts from a folder, killed all the time. The same
verdict, findings and numbers of interleavings as of one process."""
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

HEDDLE = str(Path(os.environ["HEDDLE_BINARIES"]) / "heddle")
SEED = int(os.environ.get("HEDDLE_TEST_SEED", "5"))
HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
MAIN = """
int main(void) {
  pthread_t t[%d];
  for (long i = 0; i < %d; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < %d; i++) pthread_join(t[i], 0);
  %s
  return 0;
}
"""


def program(threads, globals_, body, end=""):
    return (HEAD + globals_ + "\nstatic void *worker(void *arg) { int n = (int)(long)arg; (void)n; " + body +
            " return 0; }" + MAIN % (threads, threads, threads, end))


RELAXED = "static atomic_int x; static int odd[4];"
ROUND = "if (atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) % 2) odd[n]++;"
PROGRAMS = {  # values without order: only the search by executions ends
    "clean": program(4, RELAXED, ROUND * 2, "assert(x == 8);"),
    "race": program(3, RELAXED + "static int last;", ROUND * 2 + "if (odd[n] == 2) last = n;"),
    "wrong": program(4, RELAXED, ROUND * 2, "assert(odd[0] != 2 || odd[1] != 2);"),
    "deadlock": program(2, RELAXED + "static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};",
                        ROUND * 3 + "pthread_mutex_lock(&m[n]); pthread_mutex_lock(&m[1 - n]); "
                        "pthread_mutex_unlock(&m[1 - n]); pthread_mutex_unlock(&m[n]);"),
    "spins": program(3, RELAXED + "static atomic_int lock;",
                     ROUND + "while (atomic_exchange(&lock, 1)) {} " + ROUND + "atomic_store(&lock, 0);"),
    "large": program(4, RELAXED, "for (int k = 0; k < 3 - (n == 3); k++) " + ROUND, "assert(x == 11);"),
    "longer": program(4, RELAXED + "static const int rounds[] = {4, 4, 2, 2};",
                      "for (int k = 0; k < rounds[n]; k++) " + ROUND, "assert(x == 12);"),
    "data": program(3, "int __VERIFIER_nondet_int(void);" + RELAXED,
                    "int k = __VERIFIER_nondet_int(); if (k > 3) { " + ROUND + "} " + ROUND),
}


def children(pid):
    try:
        return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def below(pid):
    found = []
    for child in children(pid):
        found += [child] + below(child)
    return found


def explorers_of(pid):
    found = []
    for child in below(pid):
        try:
            if Path(f"/proc/{child}/comm").read_text().strip() == "heddle-explore":
                found.append(child)
        except OSError:
            pass
    return found


def kill(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


class Killer(threading.Thread):
    """Kills explorers below a process now and then, until it is told that it is over."""

    def __init__(self, pid, pause, chance):
        super().__init__()
        self.pid, self.pause, self.chance = pid, pause, chance
        self.random, self.over, self.killed, self.most = random.Random(SEED), threading.Event(), 0, 0

    def run(self):
        while not self.over.wait(self.pause):
            victims = explorers_of(self.pid)
            self.most = max(self.most, len(victims))
            for victim in victims if len(victims) > 1 else []:  # one alone has not been divided yet
                if self.random.random() >= self.chance:
                    continue
                try:
                    os.kill(victim, signal.SIGKILL)
                    self.killed += 1
                except ProcessLookupError:
                    pass


class Parts(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-parts-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), HEDDLE_WEAK_SECONDS="0")

    def command(self, name):
        source = self.folder / f"{name}.c"
        source.write_text(PROGRAMS[name])
        return [HEDDLE, "full", "--no-daemon", "--format=jsonl", str(source)]

    def start(self, name, run, **variables):
        state = {"HEDDLE_STATE_DIR": str(self.folder / "state"), "HEDDLE_CACHE_DIR": str(self.folder / f"{name}-{run}")}
        return subprocess.Popen(self.command(name), cwd=self.folder, env=self.environment | state | variables,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)

    def answer(self, process):
        out, _ = process.communicate(timeout=120)
        lines = [json.loads(line) for line in out.splitlines()]
        ids = {line["id"] for line in lines if line["type"] == "finding"}
        return lines[-1]["verdict"], ids, lines[-1]["stats"]["executions"], lines[-1].get("reason", "")

    def test_several_cores(self):
        print(f"seed {SEED}")
        for name in PROGRAMS.keys() - {"longer"}:
            with self.subTest(name):
                whole = self.answer(self.start(name, "whole", HEDDLE_EXPLORERS="1"))
                for seconds in ("0.02", "0.3"):
                    process = self.start(name, "cores" + seconds, HEDDLE_EXPLORERS="2", HEDDLE_PART_SECONDS=seconds)
                    parts = self.answer(process)
                    self.assertEqual(parts[:2], whole[:2])
                    # After an error others continue in one order or another.
                    if name not in ("race", "wrong"):
                        self.assertEqual(parts[2], whole[2])

    def test_explorers_that_die(self):
        whole = self.answer(self.start("large", "whole", HEDDLE_EXPLORERS="1"))
        process = self.start("large", "killed", HEDDLE_EXPLORERS="2", HEDDLE_PART_SECONDS="0.02")
        killer = Killer(process.pid, 0.1, 0.1)
        killer.start()
        try:
            parts = self.answer(process)
        finally:
            killer.over.set()
            killer.join()
        print(f"{killer.killed} explorers were killed")
        self.assertEqual(parts[:3], whole[:3])
        self.assertGreaterEqual(killer.most, 2)

    def test_workers_that_die(self):
        """Workers with a part in their hands, and once the process that divides."""
        whole = self.answer(self.start("longer", "whole", HEDDLE_EXPLORERS="1"))
        parts = self.folder / "parts"
        divides = {"HEDDLE_EXPLORERS": "1", "HEDDLE_PART_SECONDS": "0.1", "HEDDLE_PARTS": str(parts)}
        explores = {"HEDDLE_EXPLORERS": "1", "HEDDLE_PARTS_WORKER": str(parts)}
        workers = [self.start("longer", f"worker{n}", **explores) for n in (0, 1)]
        # They compile while it compiles, and it takes some seconds more.
        process = self.start("longer", "main", **divides)
        pick, taken, deaths, restarted = random.Random(SEED), 0, 0, False
        while process.poll() is None:
            time.sleep(0.02)
            held = list(parts.glob("*.part.*")) if parts.exists() else []
            taken += len(held) > 0
            if not held or pick.random() >= 0.1:
                continue
            deaths += 1
            if deaths == 3 and not restarted:
                kill(process)
                process, restarted = self.start("longer", "main", **divides), True
                continue
            n = deaths % 2
            kill(workers[n])
            workers[n] = self.start("longer", f"worker{n}", **explores)
        self.assertEqual(self.answer(process)[:3], whole[:3])
        print(f"{deaths} processes were killed, parts were held {taken} times")
        self.assertGreater(taken, 0)
        for worker in workers:
            worker.communicate(timeout=60)  # they leave by themselves


if __name__ == "__main__":
    unittest.main()
