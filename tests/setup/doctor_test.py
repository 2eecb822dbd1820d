"""`heddle doctor` and its remedies."""
import json
import os
import re
import time
import unittest

from fresh_user import FreshUser, RACY

CMAKE = """cmake_minimum_required(VERSION 3.20)
project(p C)
add_executable(p a.c)
"""


class Doctor(FreshUser):
    def checks(self, *arguments, code=None):
        lines = self.json_lines("doctor", *arguments, code=code)
        self.assertTrue(all(line["type"] == "doctor" and line["schemaVersion"] == 1 for line in lines))
        return {line["check"]: line for line in lines}

    def database(self, *files):
        entries = [{"directory": str(self.project), "file": name, "command": f"cc -c {name}"} for name in files]
        self.write("compile_commands.json", json.dumps(entries))

    def test_a_project_in_order(self):
        self.write("a.c", RACY)
        self.database("a.c")
        checks = self.checks(code=0)
        self.assertEqual({name for name, line in checks.items() if line["state"] != "ok"}, set(), checks)
        self.assertIn("a", checks["targets"]["message"])
        for name in ("heddle", "c", "c++", "sandbox", "daemon", "database", "compiler", "settings", "cache", "git"):
            self.assertIn(name, checks)
        text = self.heddle("doctor", code=0).stdout
        self.assertIn("everything is in place", text)

    def test_the_doctor_starts_no_daemon_and_remembers_nothing(self):
        self.write("a.c", RACY)
        self.database("a.c")
        self.assertIn("none runs", self.checks()["daemon"]["message"])
        self.assertIn("no daemon is running", self.heddle("daemon", "stop").stdout)
        self.assertIn("first check", self.heddle("check", "--no-daemon").stdout)

    def test_the_printed_remedy_works(self):
        self.write("a.c", RACY)
        self.write("CMakeLists.txt", CMAKE)
        before = self.checks(code=2)["database"]
        self.assertEqual((before["state"], before["fixable"]), ("error", True))
        ran = self.shell(re.search(r"`(.*)`", before["remedy"])[1])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.checks(code=0)["database"]["state"], "ok")
        self.heddle("check", "--no-daemon", code=1)

    def test_fix_writes_the_database_and_installs_the_hook(self):
        self.write("a.c", RACY)
        self.write("CMakeLists.txt", CMAKE)
        self.git("init", "-q")
        self.assertEqual(self.checks(code=2)["hook"]["state"], "warning")
        checks = self.checks("--fix", code=0)
        self.assertTrue(checks["database"]["fixed"] and checks["hook"]["fixed"])
        self.assertTrue((self.project / "build/compile_commands.json").exists())
        self.assertTrue(os.access(self.project / ".git/hooks/pre-commit", os.X_OK))
        again = self.checks("--fix", code=0)
        self.assertFalse(again["database"]["fixed"] or again["hook"]["fixed"])

    def test_fix_says_why_cmake_failed(self):
        self.write("CMakeLists.txt", "message(FATAL_ERROR \"no luck today\")\n")
        line = self.checks("--fix", code=2)["database"]
        self.assertIn("no luck today", line["message"])

    def test_another_hook_is_left_alone(self):
        self.write("a.c", RACY)
        self.git("init", "-q")
        self.write(".git/hooks/pre-commit", "#!/bin/sh\n")
        line = self.checks("--fix")["hook"]
        self.assertEqual((line["state"], line["fixed"]), ("warning", False))
        self.assertEqual((self.project / ".git/hooks/pre-commit").read_text(), "#!/bin/sh\n")

    def test_what_is_wrong_with_a_database(self):
        self.write("a.c", RACY)
        self.database("a.c", "gone.c")
        line = self.checks()["database"]
        self.assertEqual(line["state"], "warning")
        self.assertIn("gone.c", line["message"])
        self.write("compile_commands.json", "[{]")
        self.assertEqual(self.checks(code=2)["database"]["state"], "error")
        self.database()
        self.assertIn("0 entries", self.checks(code=2)["database"]["message"])
        self.database("a.c")
        self.write("Makefile", "all:\n")
        os.utime(self.project / "Makefile", (time.time() + 60,) * 2)
        self.assertIn("Makefile is newer", self.checks()["database"]["message"])

    def test_settings_and_files_that_do_not_compile(self):
        self.write("a.c", RACY)
        self.write("b.c", "int x = ;\n")
        self.database("a.c", "b.c")
        line = self.checks(code=2)["targets"]
        self.assertIn("b.c", line["message"])
        self.write("b.c", "")
        self.write(".heddle.yaml", "arguments: [a]\nargumens: [b]\n")
        line = self.checks(code=2)["settings"]
        self.assertEqual(line["state"], "error")
        self.assertIn(".heddle.yaml:2:1", line["message"])
        self.write(".heddle.yaml", "arguments: [a]\n")
        self.assertEqual(self.checks(code=0)["settings"]["state"], "ok")

    def test_clangd_files(self):
        self.write("a.c", "#ifndef WANTED\n#error no flag\n#endif\n" + RACY)
        self.database("a.c")
        self.heddle("check", "--no-daemon", code=4)
        self.write(".clangd", "CompileFlags: {Add: -DWANTED}\n")
        self.heddle("check", "--no-daemon", code=1)
        self.write(".clangd", "CompileFlags: {Add: -DWANTED, CompilationDatabase: out}\n")
        self.assertEqual(self.checks()["clangd"]["state"], "warning")
        self.write(".clangd", "CompileFlags:\n  Add: {}\n")
        line = self.checks()["clangd"]
        self.assertEqual(line["state"], "error")
        self.assertIn(".clangd:2:", line["message"])
        lines = self.json_lines("check", "--no-daemon", code=2)
        self.assertEqual([".clangd:2:" in str(each) for each in lines], [True], lines)

    def test_mistyped_words(self):
        for line, guess in {"chekc": "heddle check", "docter": "heddle doctor", "daemon strat": "heddle daemon start",
                            "check --ful": "--full", "check --formt=text": "--format"}.items():
            error = self.heddle(*line.split(), code=2).stderr
            self.assertIn(f"did you mean `{guess}`?", error)
        self.assertNotIn("did you mean", self.heddle("xyzzy", code=2).stderr)
        self.assertEqual(self.heddle("help", "check", code=0).stdout, self.heddle("check", "--help", code=0).stdout)

    def test_flags_that_the_compiler_does_not_know(self):
        self.write("one.c", "int main(void) { return 0; }\n")
        for flag in ("--bogus-flag", "-fno-such-thing", "-std=c77"):
            self.assertIn(f"'{flag}'", self.heddle("check", "--no-daemon", "one.c", "--", "-O2", flag, code=2).stdout)
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.project), "file": "one.c", "arguments": ["gcc", "-fno-such-thing", "-c", "one.c"]}]))
        self.assertNotIn("unknown argument", self.heddle("check", "--no-daemon", "one.c").stdout)  # GCC's, perhaps

    def test_a_file_where_an_id_belongs(self):
        self.write("one.c", "int main(void) { return 0; }\n")
        for words in (["show", "one.c"], ["replay", "one.c"], ["suppress", "add", "one.c", "--reason", "x"]):
            error = self.heddle(*words, code=2).stderr
            self.assertIn("'one.c' is a file: `heddle " + " ".join(words[:words.index("one.c")]) + "` takes the id", error)


if __name__ == "__main__":
    unittest.main()
