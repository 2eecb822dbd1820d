#!/usr/bin/env python3
"""How many of the wrong test programs, and of the errors that edits introduce, get a proved fix.

measure.py HEDDLE --programs FOLDER [--only PART]
measure.py HEDDLE --edits FOLDER                       folders with old.c and new.c
measure.py HEDDLE --judge JUDGE [--seed N] [--count N]  edits of random programs
    [--jobs N] [--floor PERCENT] [--details FILE]

Each program of PROGRAMS whose lines expect a finding is checked in a folder of its own, and `heddle fix` looks for one
proved fix per finding. The first fix of each program is applied to a copy, and an independent check of that copy, which
knows nothing of the trial, has to be without the finding and without a new one.
Of an edit, taking it back counts; the older text is taken for right, as the check of the edit takes it.
Exit code 1 if the share is below the floor, or if a proved fix does not hold."""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from git_environment import without_the_users_git  # noqa: E402

WRONG = re.compile(r"//.*\b(RACE|DEADLOCK|ASSERT|SIGNAL|LEAK|[A-Z]+)!|//.*ERROR\([^)]*\)!")
SECONDS = 120


def wrong_programs(folder, part):
    for group in sorted(os.listdir(folder)):
        if not os.path.isdir(os.path.join(folder, group)):
            continue
        for name in sorted(os.listdir(os.path.join(folder, group))):
            path = os.path.join(folder, group, name)
            if name.endswith((".c", ".cc")) and part in path and WRONG.search(open(path, encoding="utf-8").read()):
                yield path


class Scratch:
    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="heddle-fixes-")
        for name in ("home", "cache", "runtime", "project"):
            os.mkdir(os.path.join(self.path, name), 0o700)
        self.environment = dict(without_the_users_git(os.environ), HOME=self.path + "/home",
                                XDG_CACHE_HOME=self.path + "/cache", XDG_RUNTIME_DIR=self.path + "/runtime")
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, command):
        return subprocess.run(command, env=self.environment, cwd=self.path + "/project", capture_output=True, text=True,
                              timeout=SECONDS, check=False)

    def git(self, *arguments):
        return self.run(["git", *arguments])


def lines_of(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def findings_of(run):
    return {line["id"]: line for line in lines_of(run.stdout)
            if line["type"] == "finding" and line["state"] not in ("fixed", "not-confirmed")}


def measure(heddle, path):
    text = open(path, encoding="utf-8").read()
    options = " ".join(re.findall(r"^// OPTIONS: (.*)$", text, re.M)).split()
    settings = re.findall(r"^// SETTINGS: (.*)$", text, re.M)
    result = {"program": os.path.relpath(path, os.path.dirname(os.path.dirname(path))), "findings": [], "problem": ""}
    try:
        with Scratch() as scratch:
            copy = os.path.join(scratch.path, "project", os.path.basename(path))
            shutil.copyfile(path, copy)
            if settings:
                with open(scratch.path + "/project/.heddle.yaml", "w", encoding="utf-8") as file:
                    file.write("\n".join(settings) + "\n")
            before = findings_of(scratch.run([heddle, "check", "--no-daemon", "--format=jsonl", copy] + options))
            run = scratch.run([heddle, "fix", "--no-daemon", "--format=jsonl", copy] + options)
            lines = lines_of(run.stdout)
            result["findings"] = [line for line in lines if line["type"] == "fixes"]
            result["tried"] = [line for line in lines if line["type"] == "fix"]
            if run.returncode > 1:
                result["problem"] = run.stderr.strip()
            proved = [line for line in lines if line["type"] == "fix" and line["proved"]]
            if proved:
                result["problem"] = confirm(scratch, heddle, copy, options, proved[0], before)
    except subprocess.TimeoutExpired:
        result["problem"] = "took more than %d s" % SECONDS
    return result


def measure_edit(heddle, name, old, new, options):
    """An edit whose check tells a finding: is one of its fixes proved, and does the fixed text compare as clear?"""
    result = {"program": name, "findings": [], "tried": [], "problem": ""}
    try:
        with Scratch() as scratch:
            os.mkdir(scratch.path + "/project/before")
            paths = [os.path.join(scratch.path, "project", part) for part in ("before/new.c", "new.c")]
            for path, text in zip(paths, (old, new)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            run = scratch.run([heddle, "fix", "--no-daemon", "--format=jsonl", "--base", paths[0], paths[1]] + options)
            lines = lines_of(run.stdout)
            result["findings"] = [line for line in lines if line["type"] == "fixes"]
            result["tried"] = [line for line in lines if line["type"] == "fix"]
            if run.returncode > 1:
                result["problem"] = run.stderr.strip()
            proved = [line for line in result["tried"] if line["proved"]]
            if proved:
                against = ["--base", paths[0]]
                before = findings_of(scratch.run([heddle, "check", "--no-daemon", "--format=jsonl"] + against + [paths[1]] + options))
                result["problem"] = confirm(scratch, heddle, paths[1], options, proved[0], before, against)
    except subprocess.TimeoutExpired:
        result["problem"] = "took more than %d s" % SECONDS
    return result


def edits_in(folder):
    for name in sorted(os.listdir(folder)):
        texts = [os.path.join(folder, name, part) for part in ("old.c", "new.c")]
        if all(os.path.exists(path) for path in texts):
            old, new = (open(path, encoding="utf-8").read() for path in texts)
            yield name, old, new, " ".join(re.findall(r"^// OPTIONS: (.*)$", new, re.M)).split()


def edits_of_judge(judge, seed, count):
    """The first two different texts of each case: a random program and an edit of it."""
    for case in range(count):
        run = subprocess.run([judge, "--seed", str(seed), "--case", str(case), "--show-texts", "--no-minimise", "--quiet"],
                             capture_output=True, text=True, check=False, timeout=SECONDS)
        texts = []
        for text in (run.stdout + run.stderr).split("--- compiled\n")[1:]:
            text = text[:text.rindex("}\n") + 2] if "}\n" in text else text
            if text not in texts:
                texts.append(text)
        if len(texts) >= 2:
            yield "case %d" % case, texts[0], texts[1], []


def confirm(scratch, heddle, copy, options, fix, before, how=()):
    """Applies the diff with `patch` and explores everything in an empty cache."""
    patched = subprocess.run(["patch", "-p0", "-s"], input=fix["diff"], text=True, cwd=scratch.path + "/project",
                             capture_output=True, check=False)
    if patched.returncode != 0:
        return "the diff cannot be applied: " + patched.stdout + patched.stderr
    for kept in os.scandir(scratch.path + "/cache/heddle"):
        if kept.is_dir() and kept.name != "library":
            shutil.rmtree(kept.path)
    full = list(how) or ([] if "--full" in options else ["--full"])
    run = scratch.run([heddle, "check", "--no-daemon", "--format=jsonl"] + full + [copy] + options)
    after = findings_of(run)
    if run.returncode not in (0, 1):
        return "the fixed program is not clear: exit code %d" % run.returncode
    if fix["id"] in after:
        return "the finding is still there after its proved fix"
    fresh = [line["message"] for id, line in after.items() if id not in before]
    return "the proved fix leads to: " + fresh[0] if fresh else ""


def table(results):
    rules = {}
    for result in results:
        for finding in result["findings"]:
            count = rules.setdefault(finding["rule"], [0, 0])
            count[0] += 1
            count[1] += finding["proved"]
    print("%-22s %9s %7s" % ("rule", "findings", "fixed"))
    for rule, (all_of, fixed) in sorted(rules.items(), key=lambda entry: -entry[1][0]):
        print("%-22s %9d %6d%%" % (rule, all_of, 100 * fixed // all_of))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("--programs", default="")
    parser.add_argument("--edits", default="")
    parser.add_argument("--judge", default="")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--floor", type=float, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="one of N programs, chosen by its name: new ones change no sample")
    parser.add_argument("--details", default="")
    wanted = parser.parse_args()
    heddle = os.path.abspath(wanted.heddle)
    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        if wanted.programs:
            programs = [path for path in wrong_programs(wanted.programs, wanted.only)
                        if zlib.crc32(os.path.basename(path).encode()) % wanted.every == 0]
            results = list(pool.map(lambda path: measure(heddle, path), programs))
        else:
            edits = edits_in(wanted.edits) if wanted.edits else edits_of_judge(wanted.judge, wanted.seed, wanted.count)
            results = list(pool.map(lambda edit: measure_edit(heddle, *edit), edits))
    if wanted.details:
        with open(wanted.details, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    wrong = [result for result in results if result["findings"]]
    fixed = [result for result in wrong if any(finding["proved"] for finding in result["findings"])]
    table(results)
    share = 100 * len(fixed) / max(1, len(wrong))
    print("programs: %d with findings, %d with a proved fix: %.1f %%" % (len(wrong), len(fixed), share))
    problems = [result for result in results if result["problem"]]
    for result in problems:
        print("%s: %s" % (result["program"], result["problem"]))
    unsound = [result for result in problems if "proved fix" in result["problem"] or "cannot be applied" in result["problem"]]
    if share < wanted.floor:
        print("below the floor of %.0f %%" % wanted.floor)
    return 1 if share < wanted.floor or unsound or not wrong else 0


if __name__ == "__main__":
    sys.exit(main())
