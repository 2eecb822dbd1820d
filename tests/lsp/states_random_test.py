"""Random lives of a file against a model of what its last verdicts say: edits, saves, fixes, undo, errors of the compiler,
no program, unknown functions, cancelled checks, files rewritten on the disk, a second client, a daemon that dies. After
each step all surfaces are compared. A failure is minimised and printed (scripted engine).

HEDDLE_STATES_STEPS (75), HEDDLE_STATES_SEED."""
import os
import random
import re
import signal
import time
import unittest

from client import LanguageServerTest, uri_of
from states_test import Surfaces

STEPS = int(os.environ.get("HEDDLE_STATES_STEPS", "75"))
SEED = int(os.environ.get("HEDDLE_STATES_SEED", "20261125"))
LIFE = 25        # steps of one client
REPLAYS = 60     # of a failure, to make it smaller
FUNCTIONS = ("worker", "logger", "main")


class Writer:
    """Texts that tell the engine what to find."""

    def __init__(self, generator):
        self.random, self.made, self.saved = generator, 0, []

    def name(self):
        self.made += 1
        return self.made

    def change(self):
        lines = []
        for _ in range(self.random.choice([1, 1, 2, 3])):
            told = self.random.choice(["clear", "clear", "findings", "reused", "inconclusive", "not-reached"])
            lines.append(f"fragment {self.random.choice(['deleted', 'changed'])} {self.random.choice(FUNCTIONS)} {told}")
        return lines

    def found(self):
        lines = []
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            word = self.random.choice(["at", "at", "at", "still", "suppressed"])
            lines.append(f"{word} {self.name():012x} {self.random.choice(FUNCTIONS)}")
        if self.random.random() < 0.15:
            lines.append("unknown frob")
        if self.random.random() < 0.1:
            lines.append("inconclusive")
        return lines

    def text(self, acts):
        """Findings stand below all places that a fragment may have: what runs through what is known."""
        changes = [act for act in acts if act.split()[0] in ("fragment", "same")]
        lines = [f"x{n}++; // fake: {act}" for n, act in enumerate(changes)]
        lines += [f"pad{n}();" for n in range(4 - len(changes))]
        lines += [f"y{n}++; // fake: {act}" for n, act in enumerate(acts[len(changes):])]
        return f"int v{self.name()};\n" + "\n".join(lines) + "\n"

    def step(self):
        kind = self.random.random()
        if kind < 0.40:
            return ("save", self.remember(self.text(self.change() + self.found())))
        if kind < 0.52:   # a fix, or an edit that changes nothing between threads
            return ("save", self.remember(self.text(["same"] + self.found())))
        if kind < 0.60 and self.saved:
            return ("save", self.random.choice(self.saved))   # undo
        if kind < 0.68:
            return ("edit", self.text(self.found()))
        if kind < 0.76:
            return ("save", self.text([self.random.choice(["error expected ';'", "usage no file defines main()"])]))
        if kind < 0.82:
            return ("cancel", self.text(self.change() + ["sleep 60000"]))
        if kind < 0.90:
            return ("disk", self.remember(self.text(self.change() + self.found())))
        if kind < 0.95:
            return ("other", self.text(self.found()))
        return ("kill", None)

    def remember(self, text):
        self.saved.append(text)
        return text


class Expected:
    """The screen as the sequence of verdicts has it."""

    def __init__(self):
        self.findings, self.fragments, self.unchecked = {}, [], []
        self.verdict, self.code, self.stale, self.limited = "not-checked", "not-yet", False, False

    def take(self, operation, text):
        if operation == "edit":
            self.stale = True
        elif operation == "cancel":
            self.compare(self.acts(text))
            for fragment in self.fragments:
                fragment["engineState"] = "cancelled"
            self.verdict, self.code, self.stale = "not-checked", "cancelled", False
            self.findings = {name: dict(finding, old=True) for name, finding in self.findings.items()}
            self.unchecked = []      # of a text that is gone
        elif operation in ("save", "disk"):
            self.check(self.acts(text))

    @staticmethod
    def acts(text):
        return [(number, line.split("// fake: ")[1].split()) for number, line in enumerate(text.split("\n")) if "// fake: " in line]

    def compare(self, acts):
        """True: there is a change."""
        changed = [dict(line=number, kind=words[1], function=words[2], engineState=words[3]) for number, words in acts if words[0] == "fragment"]
        if changed:
            self.fragments = changed
        return bool(changed)

    def check(self, acts):
        self.stale = False
        words = {act[0] for _, act in acts}
        for word, code in (("error", "compile-error"), ("usage", "no-database")):
            if word in words:
                self.verdict, self.code, self.unchecked = "not-checked", code, [code]
                if word == "usage":   # the program is gone: nothing of it is left to show
                    self.findings, self.fragments = {}, []
                for fragment in self.fragments:
                    fragment["failed"] = True
                return
        if not self.compare(acts):
            for fragment in self.fragments:
                fragment.update(failed=False, engineState="reused" if fragment["engineState"] != "not-reached" else "not-reached")
            fresh = False
        else:
            fresh = True
        before, self.findings = self.findings, {}
        for number, act in acts:
            if act[0] in ("at", "still", "suppressed"):
                since = act[0] != "still" or (not fresh and before.get(act[1], {}).get("since", False))
                self.findings[act[1]] = dict(function=act[2], counts=act[0] != "suppressed", since=since, old=False)
        self.unchecked = ["unknown-function" for _, act in acts if act[0] == "unknown"]
        counting = any(finding["counts"] for finding in self.findings.values())
        limited = words & {"unknown", "inconclusive"}
        self.limited = bool(limited)
        self.verdict = "error" if counting else "inconclusive" if limited else "clear"
        self.code = None

    def hits(self):
        """Of each fragment: the findings that run through it."""
        out = [set() for _ in self.fragments]
        for name, finding in self.findings.items():
            if not finding["counts"] or finding["old"]:
                continue
            by_place = [n for n, f in enumerate(self.fragments) if f["kind"] == "deleted" and f["function"] == finding["function"]]
            by_pair = [n for n, f in enumerate(self.fragments) if f["engineState"] == "findings"]
            for n in by_place or by_pair or (range(len(self.fragments)) if finding["since"] else []):
                out[n].add(name)
        return out

    def states(self):
        out = []
        for fragment, hits in zip(self.fragments, self.hits()):
            if self.stale or fragment.get("failed") or (self.verdict == "not-checked" and self.code != "cancelled"):
                out.append("stale")
            elif hits:
                out.append("error")
            elif fragment["engineState"] in ("cancelled", "not-reached"):
                out.append("not-checked")
            elif fragment["engineState"] == "inconclusive" or self.limited:
                out.append("inconclusive")
            else:
                out.append("clear")
        return out

    def screen(self):
        counting = sorted(name for name, finding in self.findings.items() if finding["counts"])
        state = "stale" if self.stale and self.verdict != "not-checked" else self.verdict
        functions = {}
        for fragment, hits in zip(self.fragments, self.hits()):
            functions.setdefault(fragment["function"], set()).update(hits)
        for name, found in functions.items():
            found.update(n for n in counting if self.findings[n]["function"] == name)
        unchecked = [] if self.stale else self.unchecked
        return {"status": state, "fragments": self.states(), "pairs": self.states(), "problems": counting,
                "unchecked": unchecked, "findings": sorted(self.findings),
                "lenses": sorted((name, len(found)) for name, found in functions.items()),
                "hover": self.states()}


class Life(LanguageServerTest):
    def screen(self, shown, expected):
        problems = shown.client.shown(shown.path)
        lenses = []
        for lens in shown.client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(shown.path)}}):
            if "reason" not in lens["data"]:
                counted = re.match(r"heddle(?: \(stale\))?: (\d+) findings?\b", lens["command"]["title"])
                count = int(counted[1]) if counted else 0
                self.assertEqual(lens["command"]["command"] == "heddle.showInterleaving", count > 0, lens)
                lenses.append((lens["data"]["function"], count))
        told = {"status": shown.status()["state"], "fragments": shown.fragments(), "pairs": shown.pairs(),
                "problems": sorted({d["data"]["id"] for d in problems if "id" in d["data"]}),
                "unchecked": sorted(d["code"] for d in problems if "id" not in d["data"]),
                "findings": sorted(f["id"] for f in list(shown.client.findings.values())[0]["findings"]),
                "lenses": sorted(lenses), "hover": expected["hover"]}
        if told["fragments"]:
            ranges = [f["range"]["start"]["line"] for f in shown.last("heddle/fragmentStatus")["fragments"]]
            told["hover"] = [self.word(shown.hover(line), n, ranges) for n, line in enumerate(ranges)]
        return told

    @staticmethod
    def word(text, number, ranges):
        """Of the blocks of a line, that of the fragment: edits may have put several into one line."""
        blocks = [part.split(",")[0].split(";")[0].split(" ")[0] for part in text.split("changed here: ")[1:]]
        place = [n for n in range(len(ranges)) if ranges[n] == ranges[number]].index(number)
        return blocks[min(place, len(blocks) - 1)] if blocks else ""

    def settle(self, shown, expected):
        """Until the screen is as expected; else what it is. What is right only for a moment does not count."""
        end = time.monotonic() + 20   # of a machine that has other work
        while True:
            told = self.screen(shown, expected)
            if told == expected:
                time.sleep(0.06)
                told = self.screen(shown, expected)
                if told == expected:
                    return None
            if time.monotonic() > end:
                return told
            time.sleep(0.03)

    @staticmethod
    def judged(shown):
        return shown.status().get("verdict", {}).get("time")

    def live(self, steps):
        """The first step after which something is wrong: (number, expected, told); None: none is."""
        client, other = self.client(), None
        path = self.write("a.c", "int begin;\n// fake: same\n")
        client.open(path)
        client.wait(lambda: any(s["state"] == "clear" for s in client.status.values()))
        shown, model, version = Surfaces(client, path), Expected(), 1
        model.check(Expected.acts("// fake: same\n"))
        try:
            for number, (operation, text) in enumerate(steps):
                version += 1
                before = self.judged(shown)
                if operation in ("edit", "save", "cancel"):
                    client.change(path, version, [{"text": text}])
                if operation in ("save", "cancel"):
                    client.save(path, text)
                if operation == "disk":
                    path.write_text(text)
                    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(path), "type": 2}]})
                    client.change(path, version, [{"text": text}])
                if operation == "cancel":
                    client.wait(lambda: shown.status()["phase"] == "step1")
                    client.ask("heddle/cancelPair", {"project": uri_of(path)})
                if operation == "other":
                    other = other or self.client()
                    other.open(path, text)
                    other.close(path)
                if operation == "kill":
                    os.kill(self.daemon_pid(), signal.SIGKILL)
                if operation in ("save", "disk"):
                    client.wait(lambda: self.judged(shown) != before and not shown.status()["running"])
                model.take(operation, text)
                expected = model.screen()
                told = self.settle(shown, expected)
                if told is not None:
                    return number, expected, told
        finally:
            for ended in (client, other):
                if ended:
                    ended.stop()
        return None

    def smaller(self, steps):
        """Without the steps that the failure does not need."""
        replays, size = 0, max(1, len(steps) // 2)
        while size >= 1 and replays < REPLAYS:
            at = 0
            while at < len(steps) - 1 and replays < REPLAYS:
                fewer = steps[:at] + steps[at + size:]
                replays += 1
                failure = self.live(fewer) if fewer else None
                if failure:
                    steps = fewer[:failure[0] + 1]
                else:
                    at += size
            size //= 2
        return steps

    def test_random_lives(self):
        print(f"seed {SEED}, {STEPS} steps", flush=True)
        done = 0
        while done < STEPS:
            writer = Writer(random.Random(SEED + done))
            steps = [writer.step() for _ in range(min(LIFE, STEPS - done))]
            failure = self.live(steps)
            if failure:
                small = self.smaller(steps[:failure[0] + 1])
                number, expected, told = self.live(small) or failure
                differs = {key: (expected[key], told[key]) for key in expected if expected[key] != told[key]}
                self.fail(f"seed {SEED + done}: after\n" + "\n".join(f"  {operation}: {text!r}" for operation, text in small)
                          + f"\n(expected, shown): {differs}")
            done += len(steps)
        print(f"{done} steps, all surfaces agree")


if __name__ == "__main__":
    unittest.main()
