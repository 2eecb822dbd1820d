"""Verdicts of Goblint's regression tests beside Heddle's.

usage: goblint.py CHECKOUT [--only TEXT] [--seconds S] [--jobs N]

In:  a checkout of github.com/goblint/analyzer; HEDDLE_BINARIES, a folder with `heddle`.
Out: a table of how many programs agree, and each contradiction with its line. Exit status 1 if there is one.
"""
import collections
import re
import shutil
import sys
import tempfile
from pathlib import Path

from verdicts import arguments, check, check_all, print_table

# Goblint's functions as C has them. Its checks are assertions here.
HEADER = """#pragma once
#include <assert.h>
void __VERIFIER_assume(int);
#define __goblint_check(e) assert(e)
#define __goblint_assert(e) assert(e)
#define __goblint_assume(e) __VERIFIER_assume(!!(e))
#define __goblint_assume_join(...) ((void)0)
#define __goblint_globalize(p) ((void)0)
#define __goblint_split_begin(e) ((void)0)
#define __goblint_split_end(e) ((void)0)
#define __goblint_bounded(e) ((void)0)
"""
STARTS_THREADS = re.compile(r"\b(pthread_create|thrd_create)\b")
CERTAIN = re.compile(r"//.*\b(RACE!|FAIL!|UNKNOWN!)|//.*\bDEADLOCK\b")
MAY_FAIL = re.compile(r"FAIL|UNKNOWN|TODO|NOWARN|UNREACHABLE")


def contradictions(text, code, findings):
    """(line, why) of each annotation of the text that the verdict is against."""
    lines = text.splitlines()
    out = []
    for finding in findings:
        here = [place["line"] for place in finding["places"] if 0 < place["line"] <= len(lines)]
        if finding["rule"] == "data-race":
            out += [(line, "a race, where the comment says NORACE") for line in here[:2] if "NORACE" in lines[line - 1]]
        if finding["rule"] == "assertion":
            out += [(line, "fails, where no comment says so") for line in here[:1] if not MAY_FAIL.search(lines[line - 1])]
    if code == 0:
        out += [(n, "clear, where the comment says otherwise") for n, line in enumerate(lines, 1)
                if CERTAIN.search(line) and "NODEADLOCK" not in line]
    return out


def kind_of(text, code, findings, against):
    """The row of the table."""
    if against:
        return "against a comment"
    if code in (2, 4):
        return "not compiled, or no program"
    if code == 3:
        return "inconclusive"
    if code == 0:
        return "clear"
    rules = {finding["rule"] for finding in findings}
    expected = {"data-race": r"(?<!NO)RACE", "deadlock": r"(?<!NO)DEADLOCK", "assertion": r"FAIL|UNKNOWN"}
    if any(rule in rules and re.search(pattern, text) for rule, pattern in expected.items()):
        return "finds what a comment names"
    return "finds other errors"


def main():
    options = arguments("goblint/analyzer", "tests/regression")
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "regression"   # nothing is written into the checkout
        shutil.copytree(options.checkout / "tests/regression", copy)
        (Path(folder) / "goblint.h").write_text(HEADER, encoding="utf-8")
        programs = [path for path in sorted(copy.rglob("*.c"))
                    if options.only in str(path) and STARTS_THREADS.search(path.read_text(errors="replace"))]
        judge = lambda path: check(path, [f"-I{folder}", "-I."], folder, options.seconds)
        for path, (code, findings) in check_all(programs, judge, options.jobs):
            text = path.read_text(errors="replace")
            against = contradictions(text, code, findings)
            counts[kind_of(text, code, findings, against)] += 1
            for line, why in sorted(set(against)):
                print(f"{path.relative_to(copy)}:{line}: {why}: {text.splitlines()[line - 1].strip()}", flush=True)
    print_table(counts, "programs with threads")
    sys.exit(1 if counts["against a comment"] else 0)


if __name__ == "__main__":
    main()
