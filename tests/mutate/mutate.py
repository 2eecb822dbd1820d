#!/usr/bin/env python3
"""Plants small mistakes in a copy of the sources, one build with all of them, and sees which the tests notice.

README.md says how; ./dev mutate calls this.
"""

import argparse
import collections
import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import table

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tools"))
from git_environment import without_the_users_git  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
LIMIT_SECONDS = 900  # of one command; a mutant that makes it take longer counts as noticed
TARGETS = ("heddle heddle-engine heddled heddle-lsp heddle-run fake_engine judge outcome-runner program_runner edit_test "
           "explore_test machine_test detect_test frontend_test engine_again_test engine_books_test engine_check_test engine_concurrent_search_test "
           "engine_bases_test engine_defect_test engine_settings_test engine_headers_test lsp_parts_test "
           "explore_graph_test explore_data_test symbolic_test bench_choices").split()


def write_if_new(path, content):
    try:
        with open(path, "rb") as file:
            if file.read() == content:
                return
    except OSError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def plant(copy, mutants):
    """Brings the copy of the sources up to date; files that are as they were keep their time."""
    changed = changed_files(mutants)
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            check=True, stdout=subprocess.PIPE, env=without_the_users_git(os.environ)).stdout.decode().split("\0")
    for path in filter(None, listed):
        source, target = os.path.join(ROOT, path), os.path.join(copy, path)
        if os.path.islink(source) or not os.path.isfile(source):
            continue
        write_if_new(target, changed[path] if path in changed else read(source))
        shutil.copymode(source, target)


def changed_files(mutants):
    """Path -> the file with its mutants. Tells of all whose text is gone, not only of the first."""
    of_file = collections.defaultdict(list)
    for mutant in mutants.values():
        of_file[mutant.path].append(mutant)
    changed, problems = {}, []
    for path, here in of_file.items():
        try:
            changed[path] = table.planted(read(os.path.join(ROOT, path)).decode(), here).encode()
        except OSError as error:
            problems.append(f"{here[0]}: {error}")
        except table.Problem as problem:
            problems.append(str(problem))
    if problems:
        raise table.Problem("\n".join(problems))
    return changed


def read(path):
    with open(path, "rb") as file:
        return file.read()


def build(copy, jobs):
    folder = os.path.join(copy, "build")
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        subprocess.run(["cmake", "-S", copy, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DHEDDLE_UNITY=ON", "-DHEDDLE_MUTANTS=ON"], check=True, stdout=sys.stderr)
    subprocess.run(["nice", "-n", "19", "ninja", "-C", folder, "-j", str(jobs)] + TARGETS, check=True,
                   stdout=sys.stderr)
    return folder


def command_of(test, folder):
    kind, _, choice = test.partition(":")
    if kind == "ctest":
        return ["ctest", "--test-dir", folder, "--stop-on-failure", "--no-tests=error", "-R", choice]
    if kind == "judge":
        seed, count = (choice or "5:150").split(":")
        return [os.path.join(folder, "bin/judge"), "--seed", seed, "--count", count, "--quiet", "--no-minimise"]
    return [os.path.join(folder, "bin", kind), "--gtest_fail_fast", "--gtest_brief=1"] + (
        [f"--gtest_filter={choice}"] if choice else [])


class Runner:
    def __init__(self, folder):
        self.folder, self.whole, self.lock = folder, {}, threading.Lock()

    def passes(self, test, number):
        """True, or why not. In a folder of its own: daemons of one mutant do not serve another."""
        home = tempfile.mkdtemp(prefix="heddle-mutant-")
        os.chmod(home, 0o755)  # some tests read as another user
        environment = dict(os.environ, HEDDLE_RUNTIME_DIR=home + "/run", HEDDLE_STATE_DIR=home + "/state", TMPDIR=home)
        environment.pop("HEDDLE_CACHE_DIR", None)
        environment.pop("HEDDLE_MUTANT", None)
        if number:
            environment["HEDDLE_MUTANT"] = str(number)
        process = subprocess.Popen(command_of(test, self.folder), env=environment, cwd=home, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output = process.communicate(timeout=LIMIT_SECONDS)[0].decode(errors="replace")
            why = None if process.returncode == 0 else named(output) or f"exit status {process.returncode}"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            why = f"does not end within {LIMIT_SECONDS} s"
        shutil.rmtree(home, ignore_errors=True)
        return True if why is None else why

    def whole_passes(self, test):
        with self.lock:
            if test not in self.whole:
                self.whole[test] = self.passes(test, 0)
            return self.whole[test]

    def run(self, mutant):
        """(what noticed it or None, seconds)."""
        begin = time.monotonic()
        for test in mutant.first + mutant.tests:
            why = self.passes(test, mutant.number)
            if why is True:
                continue
            if self.whole_passes(test) is not True:
                raise table.Problem(f"{test} fails without any mistake: {self.whole_passes(test)}")
            return f"{test}: {why}", time.monotonic() - begin
        return None, time.monotonic() - begin


def named(output):
    """The first failed test that the output names."""
    for line in output.splitlines():
        words = line.split()
        if line.startswith("[  FAILED  ]") and len(words) > 3:
            return words[3].rstrip(",")
        if "***Failed" in line or "***Timeout" in line or "***Exception" in line:
            return line.split(":", 1)[-1].split("...")[0].strip().split(" ")[0]
    return None


def chosen(mutants, arguments):
    for mutant in sorted(mutants.values(), key=lambda one: one.number):
        if arguments.only and mutant.number not in arguments.only:
            continue
        if arguments.folder and not mutant.folder.endswith(arguments.folder):
            continue
        yield mutant


def print_scores(results):
    scores = collections.OrderedDict()
    for mutant, noticed in results:
        score = scores.setdefault(mutant.folder, [0, 0, 0])
        if mutant.same and not noticed:
            score[2] += 1
            continue
        score[0] += noticed
        score[1] += 1
    print(f"\n{'folder':<18} noticed    of  share  change no verdict")
    for folder, (noticed, of, same) in list(scores.items()) + [("all", [sum(c) for c in zip(*scores.values())])]:
        print(f"{folder:<18} {noticed:>7} {of:>5}  {100 * noticed // max(1, of):>3} %  {same}")


def main():
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__)
    parser.add_argument("--only", type=lambda text: {int(one) for one in text.split(",")}, metavar="N,N...")
    parser.add_argument("--folder", help="edit, explore, engine, frontend, machine, symbolic, detect, lsp, choices")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", default=os.path.join(ROOT, "build-mutate"))
    parser.add_argument("--list", action="store_true", help="say what would be planted")
    parser.add_argument("--check", action="store_true", help="only see that every mutant's text is still there")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--no-build", action="store_true")
    arguments = parser.parse_args()
    try:
        mutants = table.read_table(HERE)
        if arguments.check:
            changed_files(mutants)
            print(f"{len(mutants)} mutants, each text found once")
            return 0
        if arguments.list:
            for mutant in chosen(mutants, arguments):
                print(f"{mutant.number:>4} {mutant.path}: {mutant.what}")
            return 0
        copy = os.path.join(arguments.build, "source")
        if not arguments.no_build:
            plant(copy, mutants)
            build(copy, arguments.jobs)
        if arguments.build_only:
            return 0
        return run_all(Runner(os.path.join(copy, "build")), list(chosen(mutants, arguments)), arguments.jobs)
    except table.Problem as problem:
        print(f"mutate: {problem}", file=sys.stderr)
        return 2


def run_all(runner, mutants, jobs):
    results = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(runner.run, mutant): mutant for mutant in mutants}
        try:
            for future in concurrent.futures.as_completed(running):
                mutant, (by, seconds) = running[future], future.result()
                outcome = f"killed by {by}" if by else f"same: {mutant.same}" if mutant.same else "SURVIVED"
                print(f"{mutant.number:>4} {mutant.path}: {mutant.what}: {outcome} ({seconds:.0f} s)", flush=True)
                results.append((mutant, by is not None))
        except table.Problem:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    results.sort(key=lambda result: result[0].number)
    print_scores(results)
    return 0 if all(noticed or mutant.same for mutant, noticed in results) else 1


if __name__ == "__main__":
    sys.exit(main())
