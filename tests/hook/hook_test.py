"""The commit hook on real git repositories. Most use a scripted engine: `// fake: finding data-race` in a staged file is
what it finds, see tests/daemon/fake_engine_main.cc; the last ones use the real engine."""
import json
import stat
import time
import unittest

from repository import CLEAR, HEDDLE, PROGRAM, UNLOCKED, Repository

RACY = "// fake: finding data-race\n\n    counter++;\n    counter++;\n"


class Outcomes(Repository):
    def test_clear_commit_passes_and_says_its_scope(self):
        self.begin()
        self.write("a.c", CLEAR + "int more;\n")
        self.git("add", "a.c")
        result = self.commit(check=True)
        self.assertIn("nothing found within scope", result.stderr)
        self.assertIn("budget used", result.stderr)
        self.assertEqual(self.debts(), [])

    def test_findings_stop_the_commit(self):
        self.begin()
        before = self.head()
        self.write("a.c", RACY)
        self.git("add", "a.c")
        result = self.commit(check=False)
        self.assertIn("COMMIT STOPPED: 1 new finding", result.stderr)
        self.assertIn("[data-race]", result.stdout + result.stderr)
        self.assertEqual(self.head(), before)

    def test_no_verify_passes(self):
        self.begin()
        self.write("a.c", RACY)
        self.git("add", "a.c")
        self.commit("m", "--no-verify", check=True)

    def test_inconclusive_passes_loudly_and_is_owed(self):
        self.begin()
        self.write("a.c", "// fake: inconclusive\n")
        self.git("add", "a.c")
        result = self.commit(check=True)
        self.assertIn("COMMIT NOT CHECKED TO THE END, let pass: the time limit was reached", result.stderr)
        self.assertEqual(len(self.debts()), 1)
        debt = json.loads(self.debts()[0].read_text())
        self.assertEqual(debt["tree"], self.git("rev-parse", "HEAD^{tree}").stdout.strip())

    def test_inconclusive_stops_where_the_repository_says_so(self):
        self.begin()
        self.git("config", "heddle.onInconclusive", "fail")
        self.write("a.c", "// fake: inconclusive\n")
        self.git("add", "a.c")
        result = self.commit(check=False)
        self.assertIn("COMMIT STOPPED, not checked to the end", result.stderr)
        self.assertEqual(self.debts(), [])

    def test_a_budget_that_is_no_time(self):
        self.begin()
        self.git("config", "heddle.budget", "soon")
        self.write("a.c", "// fake: clear\n")
        self.git("add", "a.c")
        self.assertIn("heddle.budget is 'soon': give 90, 90s, 5min or 2h; 10 s are used",
                      self.commit(check=True).stderr)

    def test_budget_is_kept(self):
        self.begin()
        self.git("config", "heddle.budget", "1s")
        self.write("a.c", "// fake: sleep 30000\n")
        self.git("add", "a.c")
        begin = time.monotonic()
        result = self.commit(check=True)
        self.assertLess(time.monotonic() - begin, 12)
        self.assertIn("budget of 1", result.stderr)
        self.assertEqual(len(self.debts()), 1)

    def test_build_error_passes_loudly(self):
        self.begin()
        self.write("a.c", "// fake: error expected ';'\n")
        self.git("add", "a.c")
        result = self.commit(check=True)
        self.assertIn("COMMIT NOT CHECKED TO THE END", result.stderr)
        self.assertIn("does not compile", result.stderr)

    def test_engine_crash_passes_loudly(self):
        self.begin()
        self.write("a.c", "// fake: crash\n")
        self.git("add", "a.c")
        result = self.commit(check=True)
        self.assertIn("COMMIT NOT CHECKED TO THE END", result.stderr)

    def test_skip_is_loud_and_owed(self):
        self.begin()
        self.write("a.c", RACY)
        self.git("add", "a.c")
        result = self.commit(check=True, HEDDLE_SKIP="1")
        self.assertIn("skipped, HEDDLE_SKIP is set", result.stderr)
        self.assertEqual(len(self.debts()), 1)

    def test_daemon_that_does_not_start(self):
        self.begin()
        self.write("a.c", CLEAR + "int b;\n")
        self.git("add", "a.c")
        self.heddle("daemon", "stop")
        result = self.commit(check=True, HEDDLE_DAEMON="/nonexistent/heddled")
        self.assertIn("COMMIT NOT CHECKED TO THE END", result.stderr)

    def test_other_files_are_no_work_and_no_words(self):
        self.begin()
        self.write("README.md", "words\n")
        self.git("add", "README.md")
        self.assertEqual(self.commit(check=True).stderr, "")

    def test_debt_is_worked_off(self):
        self.begin()
        self.write("a.c", CLEAR + "int b;\n")
        self.git("add", "a.c")
        self.commit(check=True, HEDDLE_SKIP="1")
        self.assertEqual(len(self.debts()), 1)
        # The scripted engine judges everything when asked; the real one needs the background check first.
        result = self.heddle("hook", "status")
        self.assertIn("is clear now", result.stdout)
        self.assertEqual(self.debts(), [])

    def test_debt_with_findings_is_told(self):
        self.begin()
        self.write("a.c", RACY)
        self.git("add", "a.c")
        self.commit(check=True, HEDDLE_SKIP="1")
        result = self.heddle("hook", "status")
        self.assertIn("HAS FINDINGS", result.stdout)
        self.write("b.c", CLEAR)
        self.git("add", "b.c")
        self.assertIn("HAS FINDINGS", self.commit(check=True).stderr)


class WhatIsChecked(Repository):
    def test_the_index_and_not_the_disk(self):
        self.begin()
        self.write("a.c", CLEAR + "int staged;\n")
        self.git("add", "a.c")
        self.write("a.c", RACY)   # not staged
        self.commit(check=True)

    def test_the_index_has_the_finding_and_the_disk_not(self):
        self.begin()
        self.write("a.c", RACY)
        self.git("add", "a.c")
        self.write("a.c", CLEAR)
        self.commit(check=False)

    def test_commit_of_named_files(self):
        self.begin()
        self.write("a.c", CLEAR + "int x;\n")
        self.write("b.c", RACY)
        self.git("add", "b.c")
        # A temporary index with a.c alone.
        self.commit("m", "a.c", check=True)
        self.commit(check=False)

    def test_commit_all(self):
        self.begin()
        self.write("a.c", RACY)
        self.commit("m", "-a", check=False)

    def test_staged_deletion(self):
        self.begin()
        self.write("b.c", CLEAR)
        self.git("add", "b.c")
        self.commit(check=True)
        self.git("rm", "-q", "b.c")
        self.commit(check=True)

    def test_rename(self):
        self.begin()
        self.git("mv", "a.c", "b.c")
        self.commit(check=True)

    def test_names_with_spaces_and_umlauts(self):
        self.begin()
        self.write("ein töter.c", RACY)
        self.git("add", "-A")
        self.commit(check=False)

    def test_first_commit_of_a_repository(self):
        self.install()
        self.write("a.c", RACY)
        self.git("add", "a.c")
        result = self.commit(check=False)
        self.assertIn("COMMIT STOPPED", result.stderr)

    def test_amend(self):
        self.begin()
        self.write("a.c", CLEAR + "int b;\n")
        self.git("add", "a.c")
        self.commit(check=True)
        self.commit("words only", "--amend", check=True)
        self.write("a.c", RACY)
        self.git("add", "a.c")
        self.commit("m", "--amend", check=False)

    def test_merge_is_checked(self):
        self.begin()
        self.git("checkout", "-q", "-b", "side")
        self.write("b.c", RACY)
        self.git("add", "b.c")
        self.commit("side", "--no-verify", check=True)
        self.git("checkout", "-q", "main")
        self.write("c.c", CLEAR)
        self.git("add", "c.c")
        self.commit("main", check=True)
        result = self.git("merge", "-q", "--no-edit", "side", check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("COMMIT STOPPED", result.stderr)

    def test_conflict_that_is_not_resolved_is_told(self):
        self.begin()
        for branch, text in (("one", "int one;\n"), ("two", "int two;\n")):
            self.git("checkout", "-q", "-b", branch, "main")
            self.write("a.c", text)
            self.git("add", "a.c")
            self.commit(branch, "--no-verify", check=True)
        self.git("merge", "-q", "one", check=False)
        result = self.heddle("check", "--staged")
        self.assertEqual(result.returncode, 2)
        self.assertIn("resolve the conflicts first", result.stderr)

    def test_staged_header_of_no_program_is_told(self):
        self.begin()
        self.write("a.h", "int a;\n")
        self.git("add", "a.h")
        result = self.commit(check=True)
        self.assertIn("a.h: NOT CHECKED", result.stderr)

    def test_from_a_folder_below(self):
        self.begin()
        self.write("deep/er/b.c", RACY)
        self.git("add", "-A")
        self.commit(check=False, folder=self.top / "deep" / "er")

    def test_submodules_are_left_alone(self):
        self.begin()
        other = self.directory / "other"
        other.mkdir()
        self.git("init", "-q", folder=other)
        self.write("lib.c", RACY, other)
        self.git("add", "lib.c", folder=other)
        self.git("commit", "-q", "-m", "m", folder=other)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub.c")
        self.commit(check=True)


class Installing(Repository):
    def hook(self, name="pre-commit"):
        return self.top / ".git" / "hooks" / name

    def executable(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def test_install_status_uninstall(self):
        self.assertIn("pre-commit: not installed", self.heddle("hook", "status").stdout)
        self.install()
        self.assertTrue(self.hook().stat().st_mode & stat.S_IXUSR)
        self.assertIn("pre-commit: installed", self.heddle("hook", "status").stdout)
        self.assertEqual(self.heddle("hook", "uninstall").returncode, 0)
        self.assertFalse(self.hook().exists())
        self.assertIn("no hook of heddle", self.heddle("hook", "uninstall").stdout)

    def test_twice_is_once(self):
        self.install()
        before = self.hook().read_text()
        self.install()
        self.assertEqual(self.hook().read_text(), before)

    def test_an_earlier_hook_runs_first_and_comes_back(self):
        text = "#!/bin/sh\necho earlier hook >&2\n"
        self.executable(self.hook(), text)
        self.install()
        self.write("a.c", CLEAR)
        self.git("add", "a.c")
        result = self.commit(check=True)
        self.assertLess(result.stderr.index("earlier hook"), result.stderr.index("nothing found"))
        self.heddle("hook", "uninstall")
        self.assertEqual(self.hook().read_text(), text)
        self.assertTrue(self.hook().stat().st_mode & stat.S_IXUSR)

    def test_an_earlier_hook_that_refuses_is_obeyed(self):
        self.executable(self.hook(), "#!/bin/sh\nexit 7\n")
        self.install()
        self.write("a.c", CLEAR)
        self.git("add", "a.c")
        result = self.commit(check=False)
        self.assertNotIn("heddle", result.stderr)

    def test_a_hook_that_somebody_changed_is_kept(self):
        self.install()
        self.hook().write_text(self.hook().read_text() + "echo mine\n")
        for command in ("install", "uninstall"):
            result = self.heddle("hook", command)
            self.assertEqual(result.returncode, 2)
            self.assertIn("is ours, but was changed", result.stderr)
        self.assertIn("echo mine", self.hook().read_text())

    def test_hooks_path(self):
        self.git("config", "core.hooksPath", "my hooks")
        self.install()
        self.assertTrue((self.top / "my hooks" / "pre-commit").exists())
        self.write("a.c", RACY)
        self.git("add", "a.c")
        self.commit(check=False)

    def test_work_trees_share_the_hook(self):
        self.begin()
        other = self.directory / "w"
        self.git("worktree", "add", "-q", str(other), "-b", "other")
        self.write("a.c", RACY, other)
        self.git("add", "a.c", folder=other)
        before = self.head(other)
        self.commit(check=False, folder=other)
        self.assertEqual(self.head(other), before)
        self.assertIn("pre-commit: installed", self.heddle("hook", "status", folder=other).stdout)
        self.write("a.c", CLEAR + "int w;\n", other)
        self.git("add", "a.c", folder=other)
        self.commit(check=True, folder=other, HEDDLE_SKIP="1")
        self.assertEqual(len(self.debts()), 1)   # common to all work trees

    def test_outside_a_repository(self):
        outside = self.directory / "outside"
        outside.mkdir()
        for arguments in (("hook", "install"), ("hook", "status"), ("check", "--staged")):
            result = self.heddle(*arguments, folder=outside)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn("git work tree", result.stderr)

    def test_a_program_that_moved_is_told(self):
        self.install()
        self.hook().write_text(self.hook().read_text().replace(HEDDLE, "/nonexistent/heddle"))
        self.write("a.c", RACY)
        self.git("add", "a.c")
        result = self.commit(check=True, PATH="/usr/bin:/bin")
        self.assertIn("NOT CHECKED", result.stderr)

    def test_options_that_do_not_fit(self):
        self.write("a.c", CLEAR)
        for arguments, words in ((("check", "--staged", "a.c"), "leave out the files"),
                                 (("check", "a.c", "--budget", "3"), "--time-limit"),
                                 (("check", "--staged", "--since", "HEAD"), "excludes"),
                                 (("check", "--since", "nowhere"), "no such revision"),
                                 (("check", "--since", "HEAD", "--range", "HEAD..HEAD"), "excludes"),
                                 (("check", "--range", "HEAD"), "write it as A..B"),
                                 (("check", "--range", "HEAD...HEAD"), "write it as A..B"),
                                 (("check", "--range", "..nowhere"), "no revision nowhere"),
                                 (("check", "--range", "HEAD..HEAD", "a.c"), "leave out the files")):
            result = self.heddle(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr)


class RealEngine(Repository):
    engine = "real"

    def start(self, text):
        self.write("a.c", text)
        self.git("add", "a.c")
        self.commit("first", check=True)
        self.install()
        self.git("config", "heddle.budget", "60")

    def test_a_lock_taken_away_stops_the_commit(self):
        self.start(PROGRAM)
        self.write("a.c", UNLOCKED)
        self.git("add", "a.c")
        result = self.commit(check=False)
        self.assertIn("data race on 'counter'", result.stdout + result.stderr)
        self.write("a.c", PROGRAM.replace("counter++;", "counter += 2;"))
        self.git("add", "a.c")
        self.commit(check=True)

    def test_a_finding_that_head_has_too_does_not_stop_it(self):
        self.start(UNLOCKED)
        self.write("a.c", UNLOCKED.replace("  counter++;\n  pthread_join", "  counter++;\n  counter++;\n  pthread_join"))
        self.git("add", "a.c")
        # The race of HEAD is still there; the second statement is a new one.
        result = self.commit(check=False)
        self.assertIn("1 new finding", result.stderr)
        self.write("a.c", UNLOCKED.replace("return 0;", "return counter > 5;"))
        self.git("add", "a.c")
        self.commit(check=True)

    # What passes is said in one line that fits a terminal.
    def test_a_commit_that_passes_is_told_in_a_line(self):
        self.start(PROGRAM)
        for text in (PROGRAM.replace("counter++;", "counter += 2;"), "// words\n" + PROGRAM, "int *unknown(void);\n" + PROGRAM):
            self.write("a.c", text)
            self.git("add", "a.c")
            said = [line for line in self.commit(check=True).stderr.splitlines() if "within scope" in line]
            self.assertEqual(len(said), 1, said)
            self.assertLessEqual(len(said[0]), 100, said)
            self.assertRegex(said[0], "^heddle: nothing found within scope: .*; budget used: .* of ")

    # A build folder that was just added: what CMake compiles to find the compiler is not the user's.
    def test_a_build_folder_that_is_added(self):
        self.start(PROGRAM)
        for name in ("3.25.1/CompilerIdC/CMakeCCompilerId.c", "3.25.1/CompilerIdCXX/CMakeCXXCompilerId.cpp", "feature_tests.c"):
            self.write("build/CMakeFiles/" + name, "int main(int argc, char **argv) { return argv[argc][0]; }\n")
        self.git("add", "-f", "build")
        self.assertEqual(self.commit(check=True).stderr, "")
        self.write("build/CMakeFiles/3.25.1/CompilerIdC/CMakeCCompilerId.c", "int main(void) { return 0; }\n")
        self.write("a.c", PROGRAM.replace("counter++;", "counter += 2;"))
        self.git("add", "-A", "-f")
        told = self.heddle("check", "--staged")
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        self.assertNotIn("CompilerId", told.stdout + told.stderr)

    def test_comments_are_no_change(self):
        self.start(UNLOCKED)
        self.write("a.c", "// words\n" + UNLOCKED)
        self.git("add", "a.c")
        self.commit(check=True)

    def test_the_daemon_works_a_debt_off(self):
        self.start(PROGRAM)
        self.write("a.c", PROGRAM.replace("counter++;", "counter += 3;"))
        self.git("add", "a.c")
        self.commit(check=True, HEDDLE_SKIP="1")
        self.write("a.c", "int changed_since;\nint main(void) { return 0; }\n")   # the disk moved on
        for _ in range(200):
            result = self.heddle("hook", "status")
            if "clear now" in result.stdout:
                break
            time.sleep(0.2)
        self.assertIn("clear now", result.stdout)
        self.assertEqual(self.debts(), [])

    # A file below an ignored folder, one that only an ignored program uses, one that does not compile, a header.
    def test_a_commit_of_ignored_files_passes_with_one_line(self):
        self.write(".heddle.yaml", "ignore: [gen]\n")
        for name in ("gen/main.c", "used.c", "gen/alone.c", "gen/wrong.c", "gen/table.h"):
            self.write(name, "int used(void);\n" if name.endswith(".h") else "int first;\n")
        self.write("gen/main.c", "int used(void);\nint main(void) { return used(); }\n")
        self.write("used.c", "int used(void) { return 0; }\n")
        commands = [{"directory": str(self.top), "file": name, "command": f"cc -c {name} -o {name}.o"}
                    for name in ("a.c", "gen/main.c", "used.c", "gen/alone.c", "gen/wrong.c")]
        self.write("compile_commands.json", json.dumps(commands))
        self.git("add", "-A")
        self.start(PROGRAM)
        for names in (["gen/main.c"], ["used.c"], ["gen/alone.c", "gen/wrong.c"], ["gen/table.h"]):
            for name in names:
                text = (self.top / name).read_text()
                self.write(name, text + ("broken text\n" if "wrong" in name else "int more;\n"))
                self.git("add", name)
            result = self.commit(check=True)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("heddle: nothing to check: .heddle.yaml:1 ignores ", result.stderr)
        self.assertEqual(self.debts(), [])

    def test_since_a_revision(self):
        self.start(PROGRAM)
        self.write("a.c", UNLOCKED)
        result = self.heddle("check", "--since", "HEAD", "--format=jsonl")
        self.assertEqual(result.returncode, 1)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(lines[-1]["type"], "verdict")
        self.assertTrue(lines[-1]["scope"]["comparedWith"].startswith("HEAD "))

    # What git has at both ends, whatever lies on the disk.
    def test_a_range_of_commits(self):
        self.write("a.c", PROGRAM)
        self.git("add", "a.c")
        self.git("commit", "-q", "-m", "right")
        for text in (UNLOCKED, PROGRAM.replace("return 0;", "return 1;")):
            self.write("a.c", text)
            self.git("commit", "-q", "-a", "-m", "next")
        self.write("a.c", "int main(void) { return 0; }\n")
        codes = {}
        for words in ("HEAD~2..HEAD~1", "HEAD~1..HEAD", "HEAD~2..", "HEAD..HEAD"):
            result = self.heddle("check", "--range", words, "--format=jsonl")
            codes[words] = result.returncode
            last = json.loads(result.stdout.splitlines()[-1])
            if words == "HEAD~2..HEAD~1":
                self.assertTrue(last["scope"]["comparedWith"].startswith("HEAD~2 "), last)
        self.assertEqual(codes, {"HEAD~2..HEAD~1": 1, "HEAD~1..HEAD": 0, "HEAD~2..": 0, "HEAD..HEAD": 0})


if __name__ == "__main__":
    unittest.main()
