"""Each program is in the state that its header names; each injected error is found by the increment and completely.

Without arguments: as many as fit into the time, for ctest. `--all`: everything, also with the programs' own names as
arguments. HEDDLE_BINARIES names the folder of the built `heddle`.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/tools"))
from git_environment import without_the_users_git  # noqa: E402

PROGRAMS = Path(__file__).resolve().parent
HEDDLE = str(Path(os.environ["HEDDLE_BINARIES"]) / "heddle")
PROCESSOR_SECONDS_MAX = 20
LARGE = {"papabench"}  # a minute and a half: only by its name, or with --all
SEARCH_SECONDS_MAX = 30
CHECK_SECONDS_MAX = 300


class User:
    """A user whose every check is the first: no daemon, settings or cache of another."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *command, text=""):
        with tempfile.TemporaryDirectory(prefix="heddle-home-") as home:
            environment = {key: value for key, value in without_the_users_git(os.environ).items()
                           if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith(("HEDDLE_", "XDG_"))}
            environment |= {"HEDDLE_RUNTIME_DIR": home + "/run", "HOME": home, "GRPC_VERBOSITY": "NONE",
                            "GIT_CEILING_DIRECTORIES": str(self.folder.parent)}
            return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True,
                                  input=text, timeout=CHECK_SECONDS_MAX)

    def check(self, *arguments):
        """The exit code, the rules found by each step, and why the verdict was not more."""
        result = self.run(HEDDLE, "check", "--no-daemon", "--format=jsonl", f"--time-limit={SEARCH_SECONDS_MAX}",
                          *map(str, arguments))
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        steps, reasons = {}, []
        for line in lines:
            if line["type"] == "finding":
                steps.setdefault(line["step"], set()).add(line["rule"])
            if line["type"] == "verdict":
                reasons = line["scope"]["limits"] + ([line["message"]] if line["message"] else [])
        return result.returncode, steps, reasons + ([result.stderr.strip()] if result.stderr.strip() else [])


def rules(steps):
    return set().union(*steps.values())


def processor_seconds():
    times = os.times()
    return times.children_user + times.children_system


class Version:
    """A program's files in a folder of their own; several C units are a project with a compile database."""

    def __init__(self, program, folder):
        self.folder = folder
        folder.mkdir()
        sources = sorted(path for path in program.iterdir() if path.suffix in (".c", ".cc", ".h"))
        for source in sources:
            shutil.copy(source, folder)
        self.main = folder / next(path.name for path in sources if path.stem == program.name and path.suffix != ".h")
        units = [path.name for path in sources if path.suffix != ".h"]
        self.is_project = len(units) > 1
        if self.is_project:
            (folder / "compile_commands.json").write_text(json.dumps(
                [{"directory": str(folder), "file": unit, "arguments": ["cc", "-std=gnu17", "-c", unit]}
                 for unit in units]))

    def arguments(self):
        """What to check, for the command line."""
        return ("-p", self.folder) if self.is_project else (self.main,)

    def old(self):
        """The same as the version that another one is compared with."""
        return self.folder if self.is_project else self.main

    def texts(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}


def state_problem(user, version):
    """What is wrong with the program as it stands; None if it is in the state of its header."""
    found = re.search(r"^// State: +(\S+)$", version.main.read_text(), re.M)
    if not found:
        return "its header names no state"
    code, steps, reasons = user.check("--full", *version.arguments())
    if found[1] == "clear" and code == 0:
        return None
    if found[1] == "large":  # it is not explored completely within the time
        return None if code in (0, 3) and not steps else f"exit {code} with {steps}: {reasons}"
    if found[1] == "clear":
        return f"exit {code} with {steps}: {reasons}"
    return None if code == 1 and found[1] in rules(steps) else f"exit {code} without {found[1]}: {steps}, {reasons}"


def error_problem(user, program, version, patch):
    """What is wrong with the injected error; None if both ways find it."""
    text = patch.read_text()
    rule = text.splitlines()[0].strip()
    changed = Version(program, user.folder / patch.stem)
    before = changed.texts()
    applied = user.run("git", "-C", str(changed.folder), "apply", "-", text=text)
    if applied.returncode or changed.texts() == before:
        return f"the patch does not apply: {applied.stdout}{applied.stderr}"
    problems = []
    found, ended = {}, {}
    for way, arguments in (("increment", ("--base", version.old(), *changed.arguments())),
                           ("full", ("--full", *changed.arguments()))):
        code, steps, reasons = user.check(*arguments)
        found[way] = rules(steps)
        ended[way] = not any("lead to" in reason for reason in reasons)
        print(f"    {way}: " + (", ".join(f"{step} {sorted(of)}" for step, of in sorted(steps.items())) or "nothing"))
        if code != 1 or rule not in found[way]:
            problems.append(f"{way}: exit {code} without {rule}: {steps}, {reasons}")
    # What races lead to is searched for as long as it finds something new; the verdict says if it did not end.
    as_full = found["increment"] == found["full"] or (not ended["increment"] and found["increment"] <= found["full"])
    if not as_full:
        problems.append(f"the increment finds {found['increment']}, full {found['full']}")
    return "; ".join(problems) or None


def check_program(program):
    """Problems of the program and of its errors, one line each."""
    problems = []
    with tempfile.TemporaryDirectory(prefix="heddle-programs-") as top:
        user = User(Path(top))
        version = Version(program, user.folder / "original")
        print(program.name, flush=True)
        before = processor_seconds()
        problem = state_problem(user, version)
        if problem:
            problems.append(f"{program.name}: {problem}")
        print(f"  as it stands: {processor_seconds() - before:.2f} s of processor time")
        patches = sorted((program / "errors").glob("*.patch"))
        if not patches:
            problems.append(f"{program.name}: no injected error")
        for patch in patches:
            before = processor_seconds()
            print(f"  {patch.stem}", flush=True)
            problem = error_problem(user, program, version, patch)
            if problem:
                problems.append(f"{program.name}, {patch.stem}: {problem}")
            print(f"    {processor_seconds() - before:.2f} s of processor time")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="names of programs (default: every one)")
    parser.add_argument("--all", action="store_true", help="without a limit of processor time")
    options = parser.parse_args()
    programs = sorted(folder for folder in PROGRAMS.iterdir() if (folder / "errors").is_dir())
    unknown = set(options.programs) - {program.name for program in programs}
    if unknown:
        parser.error("no such program: " + ", ".join(sorted(unknown)))
    if options.programs:
        programs = [program for program in programs if program.name in options.programs]
    problems, left = [], []
    for program in programs:
        large = program.name in LARGE and not options.programs
        if not options.all and (large or processor_seconds() > PROCESSOR_SECONDS_MAX):
            left.append(program.name)
        else:
            problems += check_program(program)
    print(f"{len(programs) - len(left)} programs checked, {processor_seconds():.1f} s of processor time")
    if left:
        print("not checked within the time (--all does): " + ", ".join(left))
    for problem in problems:
        print("FAILED " + problem, file=sys.stderr)
    return 1 if problems or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
