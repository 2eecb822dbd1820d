"""Litmus tests in C and C++: what `heddle check` counts and finds under each memory model. See README.md."""
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from script import Script, threads_of

FOLDER = Path(__file__).parent
HEDDLE = str(Path(os.environ["HEDDLE_BINARIES"]) / "heddle")
MODELS = ("sc", "tso", "ra", "rc11")
ALL = os.environ.get("HEDDLE_LITMUS") == "all"  # else each program under rc11 and one more, by turns


class Program:
    """A file of programs/ and what its header says."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        header = dict(re.findall(
            r"^// (toy|formula|graphs|blocked|assertion fails under|data race under|flags): (.*)$", self.text, re.M))
        self.toy = header.get("toy")
        self.formulas = pairs(header.get("formula", ""), value)
        self.graphs = pairs(header["graphs"], int)
        self.blocked = pairs(header.get("blocked", ""), int)
        self.fails = models(header["assertion fails under"])
        self.races = models(header["data race under"])
        self.flags = header.get("flags", "").split()


class Toy:
    """A test of graph.litmus: the counts and verdicts that the axiomatic enumerator agrees with."""

    def __init__(self, head, script, outcome):
        _, verdicts, *rest = head.split()
        self.threads = threads_of(script)
        self.created = "create" in script
        self.outcome = set(outcome.split())
        self.graphs = dict(zip(MODELS, map(int, rest[:4])))
        self.fails = {model for model, verdict in zip(MODELS, verdicts) if verdict == "+"}
        self.races = set(MODELS) if "races" in rest else set()
        self.own_stores_continue = "c++17" in rest


def pairs(text, meaning):
    """By model, as in `sc 3 tso 4`."""
    words = text.split()
    return dict(zip(words[::2], map(meaning, words[1::2])))


def value(formula):
    """Of numbers, `!`, `^` and what Python knows, too."""
    if not re.fullmatch(r"[0-9!^*/()+-]+", formula):
        raise ValueError(f"no formula: {formula}")
    formula = re.sub(r"(\d+)!", lambda match: str(math.factorial(int(match[1]))), formula)
    return eval(formula.replace("^", "**").replace("/", "//"))


def models(text):
    return set() if text == "none" else set(text.split())


def read_toys():
    lines = [line for line in (FOLDER.parent / "explore" / "graph.litmus").read_text().splitlines()
             if line and not line.startswith("#")]
    return {head.split()[0]: Toy(head, script, outcome)
            for head, script, outcome in zip(lines[::3], lines[1::3], lines[2::3])}


class Litmus(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.programs = [Program(path) for path in sorted((FOLDER / "programs").iterdir())]
        cls.of_toys = [program for program in cls.programs if program.toy]
        cls.toys = read_toys()
        cls.home = Path(tempfile.mkdtemp(prefix="heddle-litmus-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, True)
        cls.environment = {key: value for key, value in os.environ.items()
                           if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith(("HEDDLE_", "XDG_"))}
        cls.environment |= {"HOME": str(cls.home), "HEDDLE_RUNTIME_DIR": str(cls.home / "run"),
                            "GRPC_VERBOSITY": "NONE"}
        for program in cls.programs:
            shutil.copy(program.path, cls.home)
        # The daemon compiles each program once for all models.
        cls.addClassCleanup(subprocess.run, [HEDDLE, "daemon", "stop"], cwd=cls.home, env=cls.environment,
                            capture_output=True)

    def check(self, program, model, *options):
        """The verdict's line, and the rules of the findings."""
        result = subprocess.run(
            [HEDDLE, "check", "--full", f"--memory-model={model}", "--plain-accesses=visible", *options,
             "--format=jsonl", program.path.name, "--", *program.flags],
            cwd=self.home, env=self.environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60, text=True)
        self.assertIn(result.returncode, (0, 1), result.stdout + result.stderr)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        return lines[-1], {line["rule"] for line in lines if line["type"] == "finding"}

    def test_headers_agree_with_the_enumerator(self):
        self.assertGreaterEqual(len(self.of_toys), 60)
        for program in self.of_toys:
            with self.subTest(program.path.name):
                toy = self.toys[program.toy]
                self.assertEqual(program.graphs, toy.graphs)
                self.assertEqual(program.fails, toy.fails)
                self.assertEqual(program.races, toy.races)
                if toy.own_stores_continue:
                    self.assertIn(program.flags, (["-std=c17"], ["-std=c++17"]))

    def test_headers_agree_with_their_formulas(self):
        for program in self.programs:
            if not program.toy:
                with self.subTest(program.path.name):
                    self.assertEqual(program.graphs, program.formulas)

    def test_programs_are_the_toys(self):
        for program in self.of_toys:
            with self.subTest(program.path.name):
                toy = self.toys[program.toy]
                script = Script(program.text, toy.created)
                self.assertEqual(script.outcome, toy.outcome)
                if toy.created:
                    joined = [line for line in toy.threads[0] if line.startswith("join")]
                    # At its end, main joins whom the toy does not: then the assertion can be judged.
                    script.threads[0] = [line for line in script.threads[0]
                                         if not line.startswith("join") or line in joined]
                else:
                    numbers = range(len(toy.threads))
                    self.assertEqual(script.create_and_join,
                                     [f"create {n}" for n in numbers] + [f"join {n}" for n in numbers])
                self.assertEqual(script.threads, toy.threads)

    def test_every_model_counts_and_finds_what_the_header_says(self):
        for number, program in enumerate(self.programs):
            for model in MODELS if ALL else ("rc11", MODELS[number % 3]):
                with self.subTest(f"{program.path.name} {model}"):
                    verdict, rules = self.check(program, model)
                    expected = {"assertion"} if model in program.fails else set()
                    expected |= {"data-race"} if model in program.races else set()
                    self.assertEqual(rules, expected)
                    self.assertEqual(verdict["stats"]["graphs"], program.graphs[model])
                    if program.blocked:
                        self.assertEqual(verdict["stats"]["blocked"], program.blocked[model])
                    self.assertEqual(verdict["verdict"], "findings" if expected else "clear")
                    self.assertEqual(verdict["scope"]["memoryModel"], model)
                    self.assertEqual(verdict["scope"]["full"], "complete")
                    self.assertEqual(verdict["scope"]["limits"], [])

    def test_a_repeated_check_counts_again(self):
        program = self.programs[0]
        first, again = (self.check(program, "rc11", "--no-daemon")[0]["stats"]["graphs"] for _ in range(2))
        self.assertEqual((first, again), (program.graphs["rc11"],) * 2)


if __name__ == "__main__":
    unittest.main()
