"""Verdicts of ESBMC's regression tests beside Heddle's.

usage: esbmc.py CHECKOUT [--only TEXT] [--seconds S] [--jobs N]

In:  a checkout of github.com/esbmc/esbmc; HEDDLE_BINARIES, a folder with `heddle`.
Out: a table of how many programs agree, and each contradiction. Exit status 1 if there is one.
"""
import collections
import re
import shutil
import sys
import tempfile
from pathlib import Path

from verdicts import arguments, check, check_all, print_table

FOLDERS = ["esbmc", "esbmc-unix", "esbmc-unix2", "esbmc-cpp11", "linux"]
KINDS = ["int", "uint", "bool", "ushort", "short", "long", "char", "uchar"]
# ESBMC's functions as the verification interface has them.
HEADER = """#pragma once
#include <assert.h>
#ifdef __cplusplus
extern "C"
#endif
void __VERIFIER_assume(int);
#define __ESBMC_assume(e) __VERIFIER_assume(!!(e))
#define __ESBMC_assert(e, m) assert(e)
#define __ESBMC_atomic_begin __VERIFIER_atomic_begin
#define __ESBMC_atomic_end __VERIFIER_atomic_end
"""
STARTS_THREADS = re.compile(r"\b(pthread_create|thrd_create)\b|std::thread")
# What it explored is not everything, or it was told not to look.
BOUNDED = re.compile(r"--(context-bound|unwind|no-unwinding-assertions|no-assertions|depth|partial-loops)\b")


def tests_of(regression, only):
    """(folder, source, options, expected) of each test with threads; expected: whether it says SUCCESSFUL."""
    for name in FOLDERS:
        for description in sorted((regression / name).glob("*/test.desc")):
            lines = [line.strip() for line in description.read_text(errors="replace").splitlines()] + [""] * 3
            source = description.parent / (lines[1].split() or ["none"])[0]
            verdicts = re.findall(r"VERIFICATION (FAILED|SUCCESSFUL)", "\n".join(lines[3:]))
            if only not in str(source) or source.suffix not in (".c", ".cpp") or not source.is_file() or not verdicts:
                continue
            if STARTS_THREADS.search(source.read_text(errors="replace")) and lines[0] != "KNOWNBUG":
                yield source, lines[2], verdicts[0] == "SUCCESSFUL"


def contradiction(options, right, code, findings):
    if not right:
        return "clear, where it fails" if code == 0 else None
    if BOUNDED.search(options):
        return None
    rules = {"assertion"} | ({"data-race"} if "--data-races-check" in options else set())
    found = [finding["message"] for finding in findings if finding["rule"] in rules]
    return f"where it is right: {found[0]}" if found else None


def kind_of(right, code, findings, against):
    """The row of the table."""
    if against:
        return "against its verdict"
    if code in (2, 4):
        return "not compiled, or no program"
    if code == 3:
        return "inconclusive"
    if not right:
        return "fails in both"
    return "right in both" if code == 0 else "right; finds what it does not look for, or beyond its bounds"


def main():
    options = arguments("esbmc/esbmc", "regression")
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "regression"   # nothing is written into the checkout
        for name in FOLDERS:
            if (options.checkout / "regression" / name).is_dir():
                shutil.copytree(options.checkout / "regression" / name, copy / name)
        header = Path(folder) / "esbmc.h"
        header.write_text(HEADER, encoding="utf-8")
        flags = ["-include", str(header), "-I.", "-w", *(f"-Dnondet_{kind}=__VERIFIER_nondet_{kind}" for kind in KINDS)]
        judge = lambda test: check(test[0], flags, folder, options.seconds)
        for (source, given, right), (code, findings) in check_all(list(tests_of(copy, options.only)), judge, options.jobs):
            against = contradiction(given, right, code, findings)
            counts[kind_of(right, code, findings, against)] += 1
            if against:
                print(f"{source.parent.relative_to(copy)}: {against}", flush=True)
    print_table(counts, "programs with threads")
    sys.exit(1 if counts["against its verdict"] else 0)


if __name__ == "__main__":
    main()
