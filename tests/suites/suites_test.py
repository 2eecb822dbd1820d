"""Programs of our own in the notation of another tool's tests: what agrees with the comments, and what does not."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

START = """#include <goblint.h>
#include <pthread.h>
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
MAIN = """int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  LOCK++n; UNLOCK// NOTE
  pthread_join(t, 0);
  __goblint_check(n == 2); // RESULT
  return 0;
}
"""
WORK = "static void *work(void *p) {\n  pthread_mutex_lock(&m);\n  ++n; // NOTE\n  pthread_mutex_unlock(&m);\n  return p;\n}\n"


def program(note, result, locked):
    text = START + WORK + MAIN
    text = text.replace("LOCK++n; UNLOCK", "pthread_mutex_lock(&m); ++n; pthread_mutex_unlock(&m); " if locked else "++n; ")
    return text.replace("NOTE", note).replace("RESULT", result)


class Goblint(unittest.TestCase):
    def run_on(self, **programs):
        with tempfile.TemporaryDirectory() as folder:
            tests = Path(folder) / "tests/regression/01-own"
            tests.mkdir(parents=True)
            for name, text in programs.items():
                (tests / f"{name}.c").write_text(text, encoding="utf-8")
            (tests / "alone.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
            return subprocess.run([sys.executable, Path(__file__).with_name("goblint.py"), folder], capture_output=True, text=True,
                                  check=False)

    def test_what_agrees(self):
        run = self.run_on(right=program("NORACE", "", True), wrong=program("RACE!", "UNKNOWN!", False),
                          broken="pthread_create(\n")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("3 programs with threads", run.stdout)
        for row in ("| clear | 1 |", "| finds what a comment names | 1 |", "| not compiled, or no program | 1 |"):
            self.assertIn(row, run.stdout)

    def test_what_is_against_a_comment(self):
        run = self.run_on(missed=program("RACE!", "", True), extra=program("NORACE", "UNKNOWN!", False),
                          fails=program("RACE!", "", False).replace("n == 2", "n == 3"))
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("| against a comment | 3 |", run.stdout)
        self.assertRegex(run.stdout, r"missed\.c:7: clear, where the comment says otherwise: \+\+n; // RACE!")
        self.assertRegex(run.stdout, r"extra\.c:7: a race, where the comment says NORACE")
        self.assertRegex(run.stdout, r"fails\.c:\d+: fails, where no comment says so: __goblint_check\(n == 3\)")

    def test_a_folder_that_is_none(self):
        run = subprocess.run([sys.executable, Path(__file__).with_name("goblint.py"), os.devnull], capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("has no folder tests/regression: name a checkout of goblint/analyzer", run.stderr)


RACE = program("", "", False).replace("#include <goblint.h>\n", "").replace("__goblint_check", "__ESBMC_assert").replace("n == 2", 'n == 2, ""')
LOCKED = program("", "", True).replace("#include <goblint.h>\n", "").replace("__goblint_check", "__ESBMC_assert").replace("n == 2", 'n == 2, ""')


class Esbmc(unittest.TestCase):
    def run_on(self, tests):
        with tempfile.TemporaryDirectory() as folder:
            for name, (text, options, verdict) in tests.items():
                test = Path(folder) / "regression/esbmc-unix" / name
                test.mkdir(parents=True)
                (test / "main.c").write_text(text, encoding="utf-8")
                (test / "test.desc").write_text(f"CORE\nmain.c\n{options}\n^VERIFICATION {verdict}$\n", encoding="utf-8")
            return subprocess.run([sys.executable, Path(__file__).with_name("esbmc.py"), folder], capture_output=True, text=True,
                                  check=False)

    def test_what_agrees(self):
        run = self.run_on({"right": (LOCKED, "", "SUCCESSFUL"), "wrong": (RACE, "", "FAILED"),
                           "bounded": (RACE, "--context-bound 1", "SUCCESSFUL")})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        for row in ("| right in both | 1 |", "| fails in both | 1 |", "| right; finds what it does not look for, or beyond its bounds | 1 |"):
            self.assertIn(row, run.stdout)

    def test_what_is_against_its_verdict(self):
        run = self.run_on({"missed": (LOCKED, "", "FAILED"), "extra": (RACE, "--data-races-check", "SUCCESSFUL")})
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("| against its verdict | 2 |", run.stdout)
        self.assertIn("esbmc-unix/missed: clear, where it fails", run.stdout)
        self.assertRegex(run.stdout, "esbmc-unix/extra: where it is right: .*'n")


if __name__ == "__main__":
    unittest.main()
