"""Replays commits of public projects and prints what Heddle found: realworld.py CHECKOUTS [options].

CHECKOUTS is a folder with a clone of each project of projects.json, by the name of its repository. Nothing is fetched,
built or run, and the clones stay as they are: each project is cloned once more into a scratch folder.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from git_environment import without_the_users_git  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BINARIES = os.path.join(ROOT, "build", "bin")
CLANG = {"c": "clang-19", "c++": "clang++-19"}
EXIT_CODES = {0: "clear", 1: "findings", 2: "usage", 3: "inconclusive", 4: "build", 5: "internal"}


def git(folder, *arguments):
    run = subprocess.run(["git", "-C", folder, *arguments], env=without_the_users_git(os.environ), capture_output=True,
                         text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"realworld: git {' '.join(arguments)} in {folder}: {run.stderr.strip()}")
    return run.stdout.strip()


def clone_of(project, checkouts):
    """By owner and name where two repositories have one name; None: it is not there."""
    owner, name = project["name"].split("/")
    for folder in (f"{owner}+{name}", name):
        if os.path.isdir(os.path.join(checkouts, folder)):
            return os.path.join(checkouts, folder)
    return None


class Version:
    """What one check said."""

    def __init__(self, code, seconds, events, output):
        self.seconds, self.output = seconds, output
        self.code = EXIT_CODES.get(code, f"exit {code}")
        self.findings, self.unknown, self.limits, self.targets = {}, set(), set(), set()
        self.summary = ""
        for event in events:
            if event.get("target"):
                self.targets.add(event["target"])
            if event["type"] == "finding" and event["state"] != "fixed":
                self.findings[event["id"]] = event
            if event["type"] == "verdict" and event.get("step") == "final":
                scope = event["scope"]
                self.unknown = {entry["name"] for entry in scope["unknownExternals"] if entry["calls"]}
                self.limits = set(scope["limits"])
                self.summary = event["message"] or scope["summary"]

    def defects(self):
        """One per group: what follows from another finding, or is the same defect elsewhere, counts once."""
        groups = {}
        for finding in self.findings.values():
            if not finding["followsFrom"]:
                groups.setdefault(finding["group"], finding)
        return groups


def place_of(finding):
    for place in finding["places"]:
        return f"{os.path.basename(place.get('file', '?'))}:{place.get('line', 0)}"
    return "?"


class Replay:
    """One project of the list in a scratch clone."""

    def __init__(self, project, checkouts, scratch, options):
        self.project, self.options = project, options
        self.name = project["name"] + (" " + project["part"] if "part" in project else "")
        self.folder = os.path.join(scratch, self.name.replace("/", "+").replace(" ", "+"))
        git(".", "clone", "--quiet", "--no-checkout", "--shared", clone_of(project, checkouts), self.folder)
        self.environment = {**os.environ, "HEDDLE_STATE_DIR": os.path.join(scratch, "state"),
                            "XDG_CACHE_HOME": os.path.join(scratch, "cache"),
                            "HEDDLE_RUNTIME_DIR": os.path.join(scratch, "run")}
        os.makedirs(self.environment["HEDDLE_RUNTIME_DIR"], mode=0o700, exist_ok=True)
        for driver in project.get("drivers", []):
            shutil.copy(os.path.join(HERE, "drivers", driver), os.path.join(self.folder, driver))
        if "settings" in project:
            with open(os.path.join(self.folder, ".heddle.yaml"), "w", encoding="utf-8") as file:
                file.write(project["settings"])

    def heddle(self, *arguments, environment=None):
        begin = time.monotonic()
        try:
            run = subprocess.run([os.path.join(self.options.binaries, "heddle"), *arguments], cwd=self.folder, capture_output=True,
                                 text=True, check=False, timeout=600, env=environment or self.environment)
        except subprocess.TimeoutExpired:
            return Version("no end", 600, [], "")
        events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        return Version(run.returncode, time.monotonic() - begin, events, run.stdout + run.stderr)

    def files(self):
        named = self.project["units"] + self.project.get("drivers", [])
        return [name for name in named if os.path.exists(os.path.join(self.folder, name))]

    def command(self, name):
        return ["cc" if name.endswith(".c") else "c++", *self.project["flags"], "-c", name]

    def check_out(self, commit):
        git(self.folder, "checkout", "--quiet", "--force", "--detach", commit)
        for name in self.project.get("empty", []):
            path = os.path.join(self.folder, name)
            if not os.path.exists(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8"):
                    pass
        database = [{"directory": self.folder, "arguments": self.command(name), "file": name} for name in self.files()]
        with open(os.path.join(self.folder, "compile_commands.json"), "w", encoding="utf-8") as file:
            json.dump(database, file)

    def check(self, *arguments, environment=None):
        asked = ["--target", self.project["target"]] if "target" in self.project else []
        alone = ["--no-daemon"] if self.options.no_daemon else []
        limit = ["--time-limit", str(self.project["seconds"])] if "seconds" in self.project else []
        return self.heddle("check", "-p", ".", "--format=jsonl", *asked, *alone, *limit, *arguments,
                           environment=environment)

    def compile_seconds(self, changed):
        """What the compiler alone takes for the changed units, or for one if only headers changed."""
        names = [name for name in self.files() if name in changed] or self.files()[:1]
        begin = time.monotonic()
        for name in names:
            compiler = CLANG["c" if name.endswith(".c") else "c++"]
            subprocess.run([compiler, *self.project["flags"], "-w", "-fsyntax-only", name], cwd=self.folder,
                           capture_output=True, check=False)
        return time.monotonic() - begin

    def whole(self):
        """Everything of this version, by an engine that knows nothing of what was checked before."""
        with tempfile.TemporaryDirectory() as fresh:
            environment = {**self.environment, "HEDDLE_CACHE_DIR": fresh, "HEDDLE_STATE_DIR": fresh}
            asked = ["--target", self.project["target"]] if "target" in self.project else []
            return self.heddle("full", "-p", ".", "--no-daemon", "--format=jsonl", "--time-limit", "120", *asked,
                               environment=environment)

    def lines(self):
        return sum(len(open(os.path.join(self.folder, name), encoding="utf-8", errors="replace").readlines())
                   for name in git(self.folder, "ls-files").splitlines()
                   if re.search(r"\.(c|h|cc|cpp|hpp|ipp)$", name) and os.path.isfile(os.path.join(self.folder, name)))

    def run(self):
        row = {"name": self.name, "checks": 0, "saves": [], "compiler": [], "introduced": 0, "fixed": 0,
               "unknown": set(), "limits": set(), "verdicts": {}, "wrong": [], "first": None, "targets": set(),
               "defects": {}, "broken": []}
        last = None
        for commit in self.project["commits"]:
            for version in (commit + "^", commit):
                if last is not None and version == commit + "^" and \
                        git(self.folder, "rev-parse", version) == git(self.folder, "rev-parse", "HEAD"):
                    continue
                changed = git(self.folder, "diff", "--name-only", "HEAD", version).splitlines()
                self.check_out(version)
                if not self.files():
                    continue  # before the first commit of a part
                seen = self.check()
                self.tell(version, seen)
                self.count(row, last, seen, changed, version)
                last = seen
        row["lines"], row["version"] = self.lines(), git(self.folder, "rev-parse", "--short", "HEAD")
        if not self.options.no_daemon:
            self.heddle("daemon", "stop")
        return row

    def count(self, row, last, seen, changed, version):
        row["checks"] += 1
        row["verdicts"][seen.code] = row["verdicts"].get(seen.code, 0) + 1
        row["unknown"] |= seen.unknown
        row["limits"] |= seen.limits
        row["targets"] |= seen.targets
        row["defects"].update(seen.defects())
        if seen.code not in ("clear", "findings", "inconclusive"):
            row["broken"].append((version, seen.code))
        if last is None:
            row["first"] = seen.seconds
        else:
            row["saves"].append(seen.seconds)
            row["compiler"].append(self.compile_seconds(changed))
            row["introduced"] += len(set(seen.defects()) - set(last.defects()))
            row["fixed"] += len(set(last.defects()) - set(seen.defects()))
        if self.options.whole:
            whole = self.whole()
            missed = {finding["rule"] for finding in whole.findings.values()} - \
                {finding["rule"] for finding in seen.findings.values()}
            if seen.code == "clear" and whole.code == "findings" or missed and seen.code != "inconclusive":
                row["wrong"].append((version, sorted(missed)))
                print(f"  WRONG: only a full search finds {sorted(missed)} in {version}")

    def tell(self, version, seen):
        print(f"{self.name} {version}: {seen.code}, {seen.seconds:.2f} s, {len(seen.findings)} findings in "
              f"{len(seen.defects())} groups; {seen.summary[:200]}", flush=True)
        if seen.code not in ("clear", "findings", "inconclusive"):
            print("   " + seen.output[-1500:])
        for finding in sorted(seen.defects().values(), key=place_of):
            print(f"   {place_of(finding)}: {finding['rule']}: {finding['message'][:200]} [{finding['id']}]")
        for text in sorted(seen.unknown):
            print(f"   unknown: {text}")
        for text in sorted(seen.limits):
            print(f"   limit: {text[:200]}")


def judged(row, project):
    """Findings by rule that somebody read the code for: project["false"] has the ids of those that are none."""
    known = set(project.get("false", []))
    return len(known & set(row["defects"]))


def table(rows, projects):
    yield "| project | version | lines | targets | checks | verdicts | first check | saves: median, longest | compiler | " \
          "introduced | fixed | groups of findings | false | wrong clear | unknown functions that a path came to | limits |"
    yield "|" + "---|" * 16
    for row, project in zip(rows, projects):
        verdicts = ", ".join(f"{count} {name}" for name, count in sorted(row["verdicts"].items()))
        saves = f"{statistics.median(row['saves']):.2f} s, {max(row['saves']):.2f} s" if row["saves"] else "-"
        compiler = f"{statistics.median(row['compiler']):.2f} s" if row["compiler"] else "-"
        cells = [row["name"], row["version"], row["lines"], len(row["targets"]), row["checks"], verdicts,
                 f"{row['first']:.1f} s", saves, compiler, row["introduced"], row["fixed"], len(row["defects"]),
                 judged(row, project), len(row["wrong"]) if row["whole"] else "not looked for",
                 ", ".join(sorted(row["unknown"])) or "-", len(row["limits"])]
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"


def commits(projects):
    for project in projects:
        part = " " + project["part"] if "part" in project else ""
        yield f"- {project['name']}{part}: {' '.join(project['commits'])}"


PAGE = """# Real projects

`./dev realworld CHECKOUTS` made this page from `tests/realworld/projects.json`: it replays commits of public projects, each
after its parent, as saves of one checkout. The page has names, hashes and figures only. `tests/realworld/README.md` says
what is counted, and how to add a project.

{table}

## Commits

{commits}
"""


def main():
    parser = argparse.ArgumentParser(description="Replays commits of public projects.")
    parser.add_argument("checkouts", help="a folder with a clone of each project")
    parser.add_argument("--project", help="only the ones whose name has this in it")
    parser.add_argument("--list", default=os.path.join(HERE, "projects.json"), help="another list of projects")
    parser.add_argument("--whole", action="store_true", help="compare each verdict with a full search (slow)")
    parser.add_argument("--no-daemon", action="store_true", help="an engine for each check: slower, nothing stays warm")
    parser.add_argument("--binaries", default=BINARIES, help="the folder that heddle is in")
    parser.add_argument("--page", help="write docs/REALWORLD.md to this file")
    options = parser.parse_args()
    with open(options.list, encoding="utf-8") as file:
        projects = [one for one in json.load(file) if not options.project or options.project in one["name"] + " " + one.get("part", "")]
    absent = [one["name"] for one in projects if clone_of(one, options.checkouts) is None]
    if absent:
        print("realworld: no clone, left out: " + ", ".join(absent), file=sys.stderr)
    projects = [one for one in projects if one["name"] not in absent]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for project in projects:
            rows.append({**Replay(project, options.checkouts, scratch, options).run(), "whole": options.whole})
    text = "\n".join(table(rows, projects))
    print(text)
    if options.page:
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(PAGE.format(table=text, commits="\n".join(commits(projects))))


if __name__ == "__main__":
    main()
