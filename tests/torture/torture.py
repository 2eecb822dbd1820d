#!/usr/bin/env python3
"""Kills, stalls, full disks, broken stores, links and headers: whatever happens to a check, the next one answers what an
empty cache would. README.md says more; ./dev torture calls this."""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import projects

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT_SECONDS = 300
FLAT_FROM = 600   # edits; before, caches that fill are most of what grows
MOST_MB = 3000    # of the daemon and all its engines, whatever happens
NAMES = ("heddled", "heddle-engine", "heddle")


class Failure(Exception):
    pass


class Bench:
    """A place of its own: runtime folder, state, caches, projects. Only processes that know this place are touched."""

    def __init__(self, binaries):
        self.binaries = os.path.abspath(binaries)
        self.home = tempfile.mkdtemp(prefix="heddle-torture-")
        self.known, self.lock = {}, threading.Lock()

    def environment(self, **more):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_")}
        environment.update(HEDDLE_RUNTIME_DIR=self.home + "/run", HEDDLE_STATE_DIR=self.home + "/state",
                           HEDDLE_CACHE_DIR=self.home + "/cache", HEDDLE_LIBRARY_CACHE=self.home + "/library")
        return {**environment, **more}

    def start(self, folder, arguments=(), limit=None, **more):
        before = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
        return subprocess.Popen([self.binaries + "/heddle", "check", "--format=jsonl", *arguments], cwd=folder,
                                env=self.environment(**more), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL, preexec_fn=before)

    def check(self, folder, arguments=(), **more):
        process = self.start(folder, arguments, **more)
        try:
            out, err = process.communicate(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure(f"no answer within {LIMIT_SECONDS} s")
        return answer(out, process.returncode, err)

    def reference(self, project):
        """What an empty cache says of the project as it is now."""
        with self.lock:
            if project.version() in self.known:
                return self.known[project.version()]
        with tempfile.TemporaryDirectory(prefix="heddle-reference-") as empty:
            said = self.check(project.folder, ("--full", "--no-daemon"), **{"HEDDLE_CACHE_DIR": empty})
        with self.lock:
            self.known[project.version()] = said
        return said

    def processes(self, name):
        """Ours: started from our binaries, with our runtime folder in their environment."""
        mark = ("HEDDLE_RUNTIME_DIR=" + self.home + "/run").encode()
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/exe") != f"{self.binaries}/{name}":
                    continue
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if mark in file.read().split(b"\0"):
                        found.append(int(pid))
            except OSError:
                continue
        return found

    def memory_mb(self):
        """Of daemon and engines, what forks share counted once."""
        total = 0
        for name in ("heddled", "heddle-engine"):
            for pid in self.processes(name):
                try:
                    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
                        total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
                except OSError:
                    continue
        return total >> 10

    def end(self):
        for name in NAMES:
            for pid in self.processes(name):
                send(pid, signal.SIGKILL)
        shutil.rmtree(self.home, ignore_errors=True)


def answer(out, code, err=b""):
    """(verdict, rules of what was found). Words of the output that is cut short count as none."""
    kind, rules = None, {}  # by finding: another one of the same rule may be fixed
    for line in out.decode(errors="replace").splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("type") == "verdict":
            kind = event.get("verdict")
        if event.get("type") == "finding":
            rules.pop(event.get("id"), None)
            if event.get("state") != "fixed":
                rules[event.get("id")] = event.get("rule")
    found = frozenset(rules.values()) if kind == "findings" else frozenset()
    return kind, found, code, err.decode(errors="replace")[-300:]


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


# --- what happens to a check: each is given the bench, the project and its own random numbers, and returns words ---


def kill(bench, project, dice):
    check = bench.start(project.folder)
    time.sleep(dice.random() ** 2 * 0.4)
    name = dice.choice(NAMES)
    pids = bench.processes(name)
    for pid in pids:
        send(pid, signal.SIGKILL)
    wait(check)
    return f"kill {len(pids)} {name}"


def stall(bench, project, dice):
    check = bench.start(project.folder)
    time.sleep(dice.random() * 0.2)
    name = dice.choice(NAMES)
    pids = bench.processes(name)
    for pid in pids:
        send(pid, signal.SIGSTOP)
    project.edit()  # a save while they stand still
    time.sleep(dice.random())
    for pid in pids:
        send(pid, signal.SIGCONT)
    wait(check)
    return f"stall {len(pids)} {name}"


def small_disk(bench, project, dice):
    limit = dice.choice([0, 4096, 65536, 300000]) or 1
    bench.check(project.folder, ("--no-daemon",), limit=limit)
    return f"no file over {limit} bytes"


def full_disk(bench, project, dice):
    cache = bench.home + "/small"
    os.makedirs(cache, exist_ok=True)
    size = dice.choice(["64k", "200k", "1m"])
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "none", cache],
                                           stderr=subprocess.DEVNULL).returncode != 0:
        return small_disk(bench, project, dice)
    try:
        bench.check(project.folder, ("--no-daemon",), **{"HEDDLE_CACHE_DIR": cache})
        same(bench.check(project.folder, ("--no-daemon",), **{"HEDDLE_CACHE_DIR": cache}), bench.reference(project))
    finally:
        subprocess.run(["umount", "-l", cache], check=False)
    return f"a disk of {size}"


def break_store(bench, project, dice):
    files = [os.path.join(folder, name) for folder, _, names in os.walk(bench.home + "/cache") for name in names]
    if not files:
        return "nothing to break"
    chosen = dice.sample(files, min(len(files), 1 + dice.randrange(3)))
    for path in chosen:
        damage(path, dice)
    return "broke " + ", ".join(os.path.basename(path)[:12] for path in chosen)


def damage(path, dice):
    size = os.path.getsize(path)
    how = dice.randrange(4)
    if how == 0:
        os.truncate(path, dice.randrange(size + 1))
    elif how == 1:
        os.unlink(path)
    elif size:
        with open(path, "r+b") as file:
            for _ in range(1 + dice.randrange(20)):
                file.seek(dice.randrange(size))
                file.write(bytes([dice.randrange(256)]))


def two_at_once(bench, project, dice):
    checks = [bench.start(project.folder) for _ in range(2 + dice.randrange(2))]
    project.edit()
    for check in checks:
        wait(check)
    return f"{len(checks)} at once"


def quiet(bench, project, dice):
    return "nothing"


TRIALS = [kill, kill, kill, stall, small_disk, full_disk, break_store, break_store, two_at_once, quiet]


def wait(process):
    try:
        process.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Failure(f"a check hangs for {LIMIT_SECONDS} s")


def same(said, wanted):
    if said[:2] != wanted[:2]:
        raise Failure(f"said {said[0]} {sorted(said[1])}, an empty cache says {wanted[0]} {sorted(wanted[1])}; {said[3]}")


def settled(bench, project):
    """The answer when nothing happens to it; the second, if the first was not whole."""
    wanted, said = bench.reference(project), bench.check(project.folder)
    if said[0] != wanted[0] and said[0] in (None, "inconclusive", "error"):
        said = bench.check(project.folder)
    if said[0] == "findings" and wanted[0] == "findings":
        if not said[1] & wanted[1]:
            same(said, wanted)
        return
    same(said[:1] + (frozenset(),) + said[2:], wanted[:1] + (frozenset(),))


def rounds(bench, count, seed):
    for number in range(count):
        if number % 20 == 0:
            folder = f"{bench.home}/project{number}"
            os.makedirs(folder)
            project = projects.Project(folder, random.Random(f"{seed} {number}"))
        dice = random.Random(f"{seed} {number} what happens")
        edit = project.edit()
        happened = ""
        try:
            happened = dice.choice(TRIALS)(bench, project, dice)
            settled(bench, project)
        except Failure as failure:
            raise Failure(f"round {number} of seed {seed}, {edit}, {happened}: {failure}; project {project.state}")
        if number % 50 == 49:
            print(f"{number + 1} rounds, {bench.memory_mb()} MB", flush=True)


def many_edits(bench, count, clients, seed):
    """Edits of three projects by several clients: every answer right, and memory flat from FLAT_FROM edits on."""
    places = []
    for n in range(3):
        os.makedirs(f"{bench.home}/many{n}")
        places.append((projects.Project(f"{bench.home}/many{n}", random.Random(f"{seed} many {n}")), threading.Lock()))
    memory = []

    def one(number):
        project, lock = places[number % 3]
        with lock:
            edit = project.edit()
            try:
                settled(bench, project)
            except Failure as failure:
                raise Failure(f"edit {number} of seed {seed}, {edit}: {failure}; project {project.state}")
            if number % max(1, count // 60) == 0:
                memory.append(bench.memory_mb())

    with ThreadPoolExecutor(clients) as pool:
        for _ in pool.map(one, range(count)):
            pass
    third = max(1, len(memory) // 3)
    early, late = (statistics.median(part) for part in (memory[third:2 * third] or memory, memory[-third:]))
    print(f"{count} edits by {clients} clients: {early:.0f} MB in the middle third, {late:.0f} MB in the last, {max(memory)} MB at most")
    if max(memory) > MOST_MB or count >= FLAT_FROM and late > early * 1.2 + 20:
        raise Failure(f"memory grows: {memory}")


def main():
    parser = argparse.ArgumentParser(prog="./dev torture", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="long form: 2000")
    parser.add_argument("--edits", type=int, default=0, help="without anything happening; long form: 20000")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--binaries", default=os.path.join(ROOT, "build/bin"))
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else int(time.time())
    print(f"seed {seed}", flush=True)
    bench = Bench(arguments.binaries)
    try:
        rounds(bench, arguments.rounds, seed)
        if arguments.edits:
            many_edits(bench, arguments.edits, arguments.clients, seed)
    except Failure as failure:
        print(f"torture: {failure}", file=sys.stderr)
        return 1
    finally:
        bench.end()
    print("every answer was that of an empty cache")
    return 0


if __name__ == "__main__":
    sys.exit(main())
