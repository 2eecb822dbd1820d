"""The table of mutants: *.mutants beside this file (README.md has its form), and how they are planted."""

import os
import re

BEGIN, END = "«", "»"


class Mutant:
    def __init__(self, number, path, folder, tests):
        self.number, self.path, self.folder = number, path, folder
        self.what = self.text = self.wrong = self.instead = self.same = ""
        self.first, self.tests = [], list(tests)

    def __str__(self):
        return f"mutant {self.number} ({self.path}: {self.what})"


class Problem(Exception):
    pass


def read_file(path, mutants):
    folder, tests, current = "", [], None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.strip()
        if not line:
            current = None
            continue
        if line.startswith("#"):
            continue
        key, _, value = line.partition(" ")
        value = value.strip()
        if key.isdigit():
            current = Mutant(int(key), value, folder, tests)
            if current.number in mutants:
                raise Problem(f"{path}:{number}: {current.number} is taken by {mutants[current.number]}")
            mutants[current.number] = current
        elif key == "folder" and current is None:
            folder = value
        elif key == "tests" and current is None:
            tests = value.split()
        elif current is not None and key in ("first", "tests"):
            setattr(current, key, value.split())
        elif current is not None and key in ("what", "text", "wrong", "instead", "same"):
            setattr(current, key, value)
        else:
            raise Problem(f"{path}:{number}: '{key}' means nothing here")


def read_table(folder):
    mutants = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".mutants"):
            read_file(os.path.join(folder, name), mutants)
    for mutant in mutants.values():
        if not mutant.what or not mutant.text or not (mutant.wrong or mutant.instead):
            raise Problem(f"{mutant}: wants what, text, and wrong or instead")
    return mutants


def pattern(text):
    """Any white space matches any other."""
    words = [re.escape(word) for word in text.split()]
    return r"\s+".join(words)


def span(mutant, source):
    """Where the text that it changes stands."""
    before, found, rest = mutant.text.partition(BEGIN)
    middle, _, after = rest.partition(END)
    if not found:
        before, middle, after = "", mutant.text, ""
    gap = lambda text, at: r"\s*" if not text.strip() or text[at].isspace() else ""
    wanted = pattern(before) + (gap(before, -1) if before else "")
    wanted += "(" + pattern(middle) + ")" + (gap(after, 0) if after else "") + pattern(after)
    matches = list(re.finditer(wanted, source))
    if len(matches) != 1:
        how = "is no longer there" if not matches else f"stands there {len(matches)} times"
        raise Problem(f"{mutant}: its text {how}: {mutant.text}")
    return matches[0].span(1)


def planted(source, mutants):
    """The source with all its mutants, switched by number; every one is looked for in the source as it was."""
    places, problems = [], []
    for mutant in mutants:
        try:
            begin, end = span(mutant, source)
        except Problem as problem:
            problems.append(str(problem))
            continue
        right, switch = source[begin:end], f"::heddle::mutant({mutant.number})"
        if mutant.instead:
            text = mutant.instead.replace("MUTANT", switch).replace("RIGHT", right)
        else:
            text = f"({switch} ? ({mutant.wrong}) : ({right}))"
        places.append((begin, end, text, mutant))
    if problems:
        raise Problem("\n".join(problems))
    places.sort(key=lambda place: place[:2])
    for (_, end, _, one), (begin, _, _, other) in zip(places, places[1:]):
        if begin < end:
            raise Problem(f"{one} and {other} change the same text")
    out, at = [], 0
    for begin, end, text, _ in places:
        out += [source[at:begin], text]
        at = end
    return '#include "tests/mutate/mutant.h"\n#line 1\n' + "".join(out) + source[at:]
