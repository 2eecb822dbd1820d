"""`heddle baseline` with the real engine: what is known is counted and not told, and everything else is."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve()
HEDDLE = str(Path(os.environ.get("HEDDLE_BINARIES", HERE.parents[2] / "build" / "bin")) / "heddle")
TEXT = """#include <pthread.h>
static int count, other;
static void add(void) {
  count++;
}
static void *worker(void *x) {
  add();
  return x;
}
static void *second(void *x) {
  (void)other;
  return x;
}
int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_create(&c, 0, second, 0);
  pthread_create(&d, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_join(d, 0);
  return 0;
}
"""
MORE = TEXT.replace("(void)other;", "other++;")
MENDED = TEXT.replace("static int count", "static _Atomic int count")


class Baseline(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-baseline-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.project = self.folder / "project"
        self.project.mkdir()
        self.file = self.project / ".heddle.baseline"
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), HEDDLE_STATE_DIR=str(self.folder / "state"))

    def heddle(self, *arguments):
        return subprocess.run([HEDDLE, *arguments], cwd=self.project, env=self.environment, capture_output=True,
                              text=True, timeout=120)

    def check(self, text=None):
        if text is not None:
            (self.project / "a.c").write_text(text)
        result = self.heddle("check", "--no-daemon", "--format=jsonl", "a.c")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        findings = {line["id"]: line for line in lines if line["type"] == "finding"}
        return result.returncode, lines[-1], list(findings.values())

    def set_baseline(self, text):
        code, _, _ = self.check(text)
        self.assertEqual(code, 1)
        result = self.heddle("baseline", "set", "--no-daemon", "a.c")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_what_was_not_explored_is_not_gone(self):
        self.set_baseline(TEXT)
        cut = TEXT.replace("int main(void) {\n", "int frob(void);\nint main(void) {\n  if (frob()) return 1;\n")
        (self.project / "a.c").write_text(cut)
        for known in (self.folder / "cache", self.project / ".cache"):   # as in a fresh clone
            shutil.rmtree(known, ignore_errors=True)
        shown = self.heddle("baseline", "show", "--no-daemon", "a.c").stdout
        self.assertNotIn("not there any more", shown)
        self.assertIn("1 known finding, 1 of them was not seen: the check was inconclusive", shown)
        (self.project / "a.c").write_text(MENDED)
        self.assertIn("1 known finding, 1 of them is not there any more", self.heddle("baseline", "show", "--no-daemon", "a.c").stdout)

    def test_known_findings_are_counted_and_not_told(self):
        told = self.set_baseline(TEXT)
        self.assertIn("data race on 'count' [data-race] in add, a.c", told)   # once
        self.assertIn("1 known finding, 1 of them new to it", told)
        code, verdict, findings = self.check()
        self.assertEqual((code, verdict["verdict"], verdict["findings"], verdict["known"]), (0, "clear", 0, 1))
        self.assertTrue(findings[0]["suppressed"]["baseline"])
        text = self.heddle("check", "--no-daemon", "a.c")
        self.assertNotIn("data race", text.stdout)
        self.assertIn("\n  1 known finding: heddle baseline show\n", text.stdout)
        show = self.heddle("baseline", "show", "--no-daemon", "a.c").stdout
        self.assertIn("a.c:4\n1 known finding\n", show)
        entries = self.file.read_text()
        self.assertNotIn(str(self.folder), entries)
        self.heddle("baseline", "set", "--no-daemon", "a.c")
        self.assertEqual(self.file.read_text(), entries)
        self.assertEqual(self.heddle("baseline", "clear").returncode, 0)
        self.assertFalse(self.file.exists())
        self.assertEqual(self.check()[0], 1)

    def test_a_new_finding_beside_known_ones(self):
        self.set_baseline(TEXT)
        code, verdict, findings = self.check(MORE)
        self.assertEqual((code, verdict["findings"], verdict["known"], verdict["introduced"]), (1, 1, 1, 1))
        told = [finding for finding in findings if "suppressed" not in finding]
        self.assertEqual([finding["message"].split(":")[0] for finding in told], ["data race on 'other'"])
        result = self.heddle("check", "--no-daemon", "-q", "a.c").stdout
        self.assertEqual(result.count(": error: "), 1)

    def test_moved_lines_and_an_edit_elsewhere(self):
        self.set_baseline(TEXT)
        code, verdict, _ = self.check("\n\n// moved\n" + TEXT.replace("(void)other;", "other = 0 * other;").replace(
            "static void *second(void *x) {", "static void *second(void *x) {\n  return x;"))
        self.assertEqual((code, verdict["findings"], verdict["known"]), (0, 0, 1), verdict["message"])

    def test_a_function_with_another_name(self):
        self.set_baseline(TEXT)
        code, verdict, findings = self.check(TEXT.replace("add(", "increase("))
        self.assertEqual((code, verdict["known"]), (0, 1), findings)
        # The function is still there: the error in another one is another error.
        both = TEXT.replace("  add();\n", "  inner();\n").replace(
            "static void *worker", "static void inner(void) {\n  count++;\n}\nstatic void *worker")
        code, verdict, _ = self.check(both.replace("return 0;", "add();\n  return 0;"))
        self.assertEqual((code, verdict["findings"]), (1, 1))

    def test_a_mended_finding_is_told_as_fixed(self):
        self.set_baseline(TEXT)
        code, verdict, findings = self.check(MENDED)
        self.assertEqual((code, verdict["known"]), (0, 0))
        self.assertEqual([finding["state"] for finding in findings], ["fixed"])
        show = self.heddle("baseline", "show", "--no-daemon", "a.c").stdout
        self.assertIn("1 of them is not there any more", show)
        self.assertIn("0 known findings, 0 of them new", self.heddle("baseline", "set", "--no-daemon", "a.c").stdout)
        self.assertEqual(self.check(TEXT)[0], 1)

    def test_a_file_that_cannot_be_read(self):
        self.set_baseline(TEXT)
        good = self.file.read_text()
        for text, line, words in [("", 1, "it is empty"), ("<<<<<<< HEAD\n" + good, 1, "this is no baseline"),
                                  (good + "0123 race\n", good.count("\n") + 1, "this is no entry")]:
            with self.subTest(words):
                self.file.write_text(text)
                for arguments in (["check"], ["baseline", "set"], ["baseline", "show"]):
                    result = self.heddle(*arguments, "--no-daemon", "a.c")
                    self.assertEqual(result.returncode, 2, result.stdout)
                    told = result.stdout + result.stderr
                    self.assertIn(f".heddle.baseline:{line}:", told)
                    self.assertIn(words, told)
                    self.assertIn("heddle baseline clear", told)
                self.assertEqual(self.file.read_text(), text)
        self.assertEqual(self.heddle("baseline", "clear").returncode, 0)
        self.assertEqual(self.check()[0], 1)

    # One decision for one defect: all races of the missing lock, each undone by itself.
    def test_a_suppression_of_a_defect_with_several_races(self):
        text = TEXT.replace("  count++;\n", "  count++;\n  other++;\n").replace("(void)other;", "").replace(
            "static int count, other;", "static struct { int count, other; } s;").replace(
            "  count++;\n  other++;", "  s.count++;\n  s.other++;")
        code, verdict, findings = self.check(text)
        self.assertEqual((code, verdict["findings"], verdict["grouped"]), (1, 2, 1), findings)
        for more in (["a.c"], [], ["--in-settings", "a.c"]):  # without a name, the file that was checked
            (self.project / "a.c").write_text(text)
            result = self.heddle("suppress", "add", findings[0]["group"], "--no-daemon", "--reason", "why", *more)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.count(" is suppressed; undo: "), 2, result.stdout)
            code, verdict, _ = self.check()
            self.assertEqual((code, verdict["findings"], verdict["suppressed"]), (0, 0, 2))

    # What the known race leads to is not searched for at each save.
    def test_a_known_race_does_not_slow_a_save(self):
        text = TEXT.replace("  return 0;\n}\n", "  if (count == 1) other = 1 / other;\n  return 0;\n}\n")
        self.set_baseline(text)
        code, verdict, _ = self.check(text.replace("count++;", "count += 2;"))
        self.assertEqual((code, verdict["verdict"]), (0, "clear"), verdict["message"])
        self.assertEqual(verdict["scope"]["consequences"], "incomplete")
        self.assertIn("leads to was not searched to the end: it is taken to do no harm",
                      " ".join(verdict["scope"]["assumptions"]))


if __name__ == "__main__":
    unittest.main()
