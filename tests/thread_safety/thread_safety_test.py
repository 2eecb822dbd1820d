"""Compiles all users of server/base/mutex.h with Clang's thread safety analysis.

usage: thread_safety_test.py SOURCES BUILD CLANG
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

SOURCES, BUILD, CLANG = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
OWN = ["server", "client", "tests/daemon"]
GUEST = ("server/frontend/support/", "server/frontend/frameworks/")  # text that checked programs are compiled with
MUTEX = "server/base/mutex.h"
ANALYSIS = ["-fsyntax-only", "-Wno-everything", "-Wthread-safety", "-Werror", "-ferror-limit=0"]
FILES_AS_ONE = 8
PLAIN = re.compile(r"\bstd::(mutex|lock_guard|unique_lock|scoped_lock|condition_variable)\b")


def own_files():
    for folder in OWN:
        for path in sorted((SOURCES / folder).rglob("*")):
            name = path.relative_to(SOURCES).as_posix()
            if path.suffix in (".h", ".cc") and not name.startswith(GUEST):
                yield name, path.read_text()


def without_comments_and_strings(text):
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    return re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"', "", text)


def users(texts):
    """Sources that include the header, directly or through headers that do; and the tables of the library."""
    includes = {name: set(re.findall(r'#include "([^"]+)"', text)) for name, text in texts.items()}
    reached = {MUTEX}
    while True:
        more = {name for name, names in includes.items() if name not in reached and names & reached}
        if not more:
            break
        reached |= more
    # A file that only sees a guarded type through its header has nothing to check in that type's private members.
    direct = {name for name, names in includes.items() if MUTEX in names}
    own_header = {name for name in reached if name.endswith(".cc") and name[:-3] + ".h" in direct}
    state = {name for name in reached if name.endswith(".cc") and "server/frontend/compiler_state.h" in includes[name]}
    # The tables of the library are constant expressions, which GCC and Clang do not evaluate alike: ./dev fuzz needs both.
    tables = {name for name in texts if name.startswith("server/library/")}
    return sorted(name for name in direct | own_header | state | tables if name.endswith(".cc"))


def arguments(entry):
    """What Clang is given before the file: neither outputs nor warnings, nor GCC's precompiled header."""
    words = shlex.split(entry["command"]) if "command" in entry else list(entry["arguments"])
    while not re.search(r"(\+\+|cc|clang)(-\d+)?$", words[0]) or words[0].endswith("ccache"):
        words.pop(0)
    kept, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-include", "-MF", "-MT", "-c"):
            skip = True  # after -c comes the file
        elif word != "-MD" and not word.startswith("-W"):
            kept.append(word)
    return (CLANG, *kept, *ANALYSIS)


def compiled(command, folder, files):
    """The files as one, which takes a third of the time; each alone if Clang has something to say of them."""
    text = "".join(f'#include "{SOURCES / name}"\n' for name in files)
    done = subprocess.run([*command, "-x", "c++", "-"], cwd=folder, capture_output=True, text=True, input=text)
    if done.returncode == 0:
        return []
    if len(files) == 1:
        return [f"{files[0]}:\n{done.stderr}"]
    return [problem for name in files for problem in compiled(command, folder, [name])]


def check_mistakes():
    path = SOURCES / "tests/thread_safety/mistakes.cc"
    done = subprocess.run([CLANG, "-std=c++20", f"-I{SOURCES}", str(path), *ANALYSIS], cwd=SOURCES,
                          capture_output=True, text=True)
    reported = {int(line) for line in re.findall(r"mistakes\.cc:(\d+):\d+: error", done.stderr)}
    marked = {n for n, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("// MISTAKE")}
    return [] if reported == marked and marked else [
        f"{path}: overlooked {sorted(marked - reported)}, reported although right {sorted(reported - marked)}\n" + done.stderr]


def main():
    texts = dict(own_files())
    problems = check_mistakes()
    for name, text in texts.items():
        if name != MUTEX and not name.startswith("tests/") and PLAIN.search(without_comments_and_strings(text)):
            problems.append(f"{name}: a plain std::mutex or lock; {MUTEX} has one that Clang checks")
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        commands[path] = entry
        if path.parent.name == "Unity":  # a build of several files as one: each has the flags of them all
            for source in re.findall(r'#include "([^"]+)"', path.read_text()):
                alone = dict(entry, command=entry["command"].replace(entry["file"], source))
                commands.setdefault(pathlib.Path(source).resolve(), alone)
    names = users(texts)
    if len(names) < 15:
        problems.append(f"only {len(names)} users of {MUTEX} were found: {names}")
    groups = {}
    for name in names:
        entry = commands.get((SOURCES / name).resolve())
        if entry is None:
            problems.append(f"{name}: it has no command in {BUILD}/compile_commands.json")
        else:
            groups.setdefault((arguments(entry), entry["directory"]), []).append(name)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = [pool.submit(compiled, *group, files[n:n + FILES_AS_ONE])
                   for group, files in groups.items() for n in range(0, len(files), FILES_AS_ONE)]
        problems += [problem for future in running for problem in future.result()]
    print(f"{len(names)} files")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
