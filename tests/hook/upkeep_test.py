"""`heddle cache` and `heddle rage`, with the real engine."""
import json
import unittest

from repository import UNLOCKED, Repository


class Upkeep(Repository):
    engine = "real"

    def setUp(self):
        super().setUp()
        self.cache = self.top / ".cache/heddle"
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.top), "file": "a.c", "command": "cc -c a.c"}]))

    def compared(self):
        result = self.heddle("check", "a.c", "--format=jsonl")
        return json.loads(result.stdout.splitlines()[-1])["scope"]["comparedWith"]

    def test_clearing_forgets_all_but_the_nights(self):
        self.assertIn("nothing is remembered of", self.heddle("cache", "clear").stdout)
        self.write("a.c", UNLOCKED)
        self.assertIn("first check", self.compared())
        self.assertNotIn("first check", self.compared())
        (self.cache / "nightly").mkdir()
        night = self.write(".cache/heddle/nightly/night.json", "{}")
        result = self.heddle("cache", "stat")
        self.assertIn(f"{self.cache}: ", result.stdout)
        self.assertIn("nights: ", result.stdout)
        self.assertIn(f"{self.directory}/.local/state/heddle: ", result.stdout)
        self.assertTrue((self.cache / "ledger.sqlite").exists())
        result = self.heddle("cache", "clear")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("the daemon was stopped; the next check owes everything", result.stdout)
        self.assertIn(f"left: {self.cache}/nightly: ", result.stdout)
        self.assertEqual([entry.name for entry in self.cache.iterdir()], ["nightly"])
        self.assertTrue(night.exists())
        self.assertIn("first check", self.compared())

    def test_nothing_is_put_among_lone_files(self):
        (self.top / "compile_commands.json").unlink()
        self.write("a.c", UNLOCKED)
        before = set(self.top.iterdir())
        self.assertIn("first check", self.compared())
        self.assertNotIn("first check", self.compared())
        self.heddle("check", "--verify-incremental", "a.c")
        self.heddle("nightly", "a.c")
        self.assertEqual(set(self.top.iterdir()), before)
        stat = self.heddle("cache", "stat", "a.c").stdout
        self.assertIn(f"{self.directory}/.cache/heddle/", stat)
        nights = next((self.directory / ".cache/heddle/nights").iterdir()) / "nightly"
        self.assertRegex(stat, rf"\n  {nights}: .* nights\n")
        other = self.write("../.cache/heddle/" + "0" * 32 + "/ledger.sqlite", "another file's")
        self.assertRegex(self.heddle("cache", "stat", "a.c").stdout, rf"\n  {self.directory}/.cache/heddle: .*, of other files")
        left = self.heddle("cache", "clear", "a.c").stdout
        self.assertIn("\nleft, because it is not of this project's cache:\n", left)
        self.assertRegex(left, rf"\n  {nights}: .* nights\n")
        self.assertTrue(nights.is_dir() and other.exists())
        self.assertIn("first check", self.compared())

    def test_rage_has_what_a_report_needs_and_no_source_text(self):
        text = self.heddle("rage").stdout
        self.assertIn("no daemon is running", text)
        self.write("a.c", UNLOCKED)
        self.compared()
        result = self.heddle("rage", "--output", "bundle.txt", "a.c")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        text = (self.top / "bundle.txt").read_text()
        for words in ("\nheddle ", " cores, ", "HEDDLE_RUNTIME_DIR=", "\nheddled ", f"cache: {self.cache}, ",
                      "open findings:  1", "listens on"):
            self.assertIn(words, text)
        self.assertNotIn("pthread_create(", text)
        self.assertEqual(self.heddle("rage", "--output", "/nowhere/x").returncode, 2)


if __name__ == "__main__":
    unittest.main()
