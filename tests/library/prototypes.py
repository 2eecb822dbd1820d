"""Do the rows of server/library say what the system's headers say: which pointers a function reads through?

In:      the rows of models and operations; the prototypes of the headers below, as the compiler of the system sees them.
Out:     a line per argument `const T *` that its row does not read, or writes; exit status 1 if there is one.
         What a row does not say, an edit of such memory does not reach: "nothing changed".
"""

import glob
import os
import re
import subprocess
import sys

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "server", "library")
HEADERS = """ctype.h dirent.h errno.h fcntl.h fenv.h getopt.h inttypes.h locale.h math.h pthread.h sched.h search.h
semaphore.h setjmp.h signal.h stdio.h stdlib.h string.h strings.h sys/mman.h sys/resource.h sys/stat.h sys/time.h
sys/uio.h syslog.h threads.h time.h unistd.h wchar.h wctype.h""".split()
# What the models do not look at, or what ends the path.
UNREAD = {"nan", "nanf", "nanl", "openlog", "execl", "execlp", "execvpe", "sigsuspend", "timer_settime", "mlock",
          "munlock", "pthread_setspecific"}


def prototypes():
    text = "#define _GNU_SOURCE\n" + "".join(f"#include <{header}>\n" for header in HEADERS)
    compiler = os.environ.get("CC", "cc")
    seen = subprocess.run([compiler, "-E", "-P", "-xc", "-"], input=text, capture_output=True, text=True, check=True)
    found = {}
    nested = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
    for name, parameters in re.findall(rf"\b(\w+) \(({nested})\)\s*(?:__asm__|__attribute__|;)",
                                       re.sub(r"\s+", " ", seen.stdout)):
        found.setdefault(name, split(parameters))
    return found


def split(parameters):
    result, depth = [""], 0
    for letter in parameters:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            result.append("")
        else:
            result[-1] += letter
    return result


def rows():
    for path in sorted(glob.glob(os.path.join(LIBRARY, "*.cc"))):
        for name, row in re.findall(r'\{"(\w+)",\s*(?:Model|Operation),(.*?)\},\n', open(path, encoding="utf-8").read(), re.S):
            yield os.path.basename(path), name, row


def numbers(row, word):
    """The arguments that the row reads or writes; None: all of them, or a range."""
    result = set()
    for whole, listed in re.findall(rf"\b{word}\((at\(([\d, ]*)\)|\w+)", row):
        if not listed:
            return None
        result |= {int(number) for number in listed.split(",")}
    return result


def main():
    known, wrong, looked_at = prototypes(), [], 0
    for path, name, row in rows():
        if name in UNREAD or name not in known:
            continue
        reads, writes = numbers(row, "read(?:s|ing)"), numbers(row, "writ(?:es|ing)")
        for number, parameter in enumerate(known[name]):
            if not re.search(r"\bconst\b[^*]*\*[^*]*$", parameter) or "FILE" in parameter or "(" in parameter:
                continue
            looked_at += 1
            if reads is not None and number not in reads:
                wrong.append(f"{path}: {name} reads through argument {number} ({parameter.strip()}); its row does not")
            if writes and number in writes:
                wrong.append(f"{path}: {name} cannot write through argument {number} ({parameter.strip()})")
    print("\n".join(wrong + [f"{looked_at} arguments, {len(wrong)} wrong"]))
    return 1 if wrong or looked_at < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
