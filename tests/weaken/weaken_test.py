"""What `heddle weaken` says of the lock-free programs of tests/programs/weak, against what their lines say: each order
one step weaker is noticed, unless the line says that it is harmless.

    // HARMLESS: acquire -> relaxed (load)    behind the code; several are separated by commas
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = Path(os.environ["HEDDLE_BINARIES"]) / "heddle"
PROGRAMS = Path(__file__).parent.parent / "programs" / "weak"


def harmless_of(path):
    """(line, "operation from -> to") of each weakening that the program's lines name."""
    found = set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if "// HARMLESS: " not in line:
            continue
        for entry in line.split("// HARMLESS: ")[1].split(", "):
            match = re.fullmatch(r"(\w+ -> \w+) \((\w+)\)", entry.strip())
            if not match:
                raise ValueError(f"{path.name}:{number}: {entry}")
            found.add((number, f"{match[2]} {match[1]}"))
    return found


class Weaken(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="heddle-weaken-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, True)
        cls.environment = {key: value for key, value in os.environ.items()
                           if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith(("HEDDLE_", "XDG_"))}
        cls.environment |= {"HOME": str(cls.home), "HEDDLE_RUNTIME_DIR": str(cls.home / "run"),
                            "GRPC_VERBOSITY": "NONE"}

    def weaken(self, path, *options):
        shutil.copy(path, self.home)
        flags = re.findall(r"^// OPTIONS: .*?(-- .*)$", path.read_text(), re.M)
        result = subprocess.run([HEDDLE, "weaken", "--no-daemon", *options, path.name, *" ".join(flags).split()],
                                cwd=self.home, env=self.environment, capture_output=True, stdin=subprocess.DEVNULL,
                                timeout=120, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_every_weakening_is_noticed_or_known_to_be_harmless(self):
        right = [path for path in sorted(PROGRAMS.glob("*.c")) if "// VERDICT: clear" in path.read_text()]
        self.assertGreaterEqual(len(right), 28)
        rows = 0
        for path in right:
            with self.subTest(path.name):
                outcomes = {"noticed": set(), "harmless": set(), "unknown": set()}
                for line in self.weaken(path, "--format=jsonl").splitlines():
                    row = json.loads(line)
                    if row["type"] != "weakening":
                        continue
                    change = row["change"]
                    text = f"{change['operation']} {change['from']} -> {change['to']}"
                    outcomes[row["outcome"]].add((change["line"], text))
                    rows += 1
                self.assertEqual(outcomes["unknown"], set())
                self.assertEqual(outcomes["harmless"], harmless_of(path))
        self.assertGreaterEqual(rows, 95)

    def test_the_table(self):
        text = self.weaken(PROGRAMS / "ring_of_two_threads.c")
        self.assertRegex(text, r"ring_of_two_threads.c:\d+:\d+ +store +release -> relaxed +noticed: .*data race")
        self.assertRegex(text, r"\n\d+ noticed, \d+ harmless, 0 not known\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[1:])
