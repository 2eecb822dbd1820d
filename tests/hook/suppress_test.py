"""Suppressions from the terminal, with the real engine: counted, told, undone; unused and expired ones are told."""
import json
import shlex
import unittest

from repository import HEDDLE, PROGRAM, UNLOCKED, Repository

LINE = "  counter++;\n  pthread_join"


def marked(comment):
    return UNLOCKED.replace(LINE, f"  // heddle: ignore[{comment}\n" + LINE)


class Undo:
    def undo(self, result):
        """Runs what `suppress add` printed, word for word."""
        self.assertEqual(result.returncode, 0, result.stderr)
        words = shlex.split(result.stdout.split("undo: ")[1])
        self.assertEqual(words.pop(0), "heddle")
        undone = self.heddle(*words)
        self.assertEqual(undone.returncode, 0, undone.stderr)


class Suppressions(Undo, Repository):
    engine = "real"

    def check(self, text=None, *options):
        if text is not None:
            self.write("a.c", text)
        result = self.heddle("check", "a.c", "--format=jsonl", *options)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        return result.returncode, lines[-1], [line for line in lines if line["type"] == "finding"]

    def test_a_comment_above_the_statement(self):
        code, verdict, findings = self.check(marked("data-race] only a statistic owner=ann until=2999-12-31"))
        self.assertEqual((code, verdict["verdict"], verdict["findings"], verdict["suppressed"]), (0, "clear", 0, 1))
        self.assertEqual(findings[0]["suppressed"]["reason"], "only a statistic")
        self.assertEqual(findings[0]["suppressed"]["owner"], "ann")
        text = self.heddle("check", "a.c").stdout
        self.assertIn("note: suppressed: data race on 'counter'", text)
        self.assertIn("1 finding suppressed", text)

    def test_a_comment_at_the_end_of_the_line(self):
        code, verdict, _ = self.check(UNLOCKED.replace(LINE, LINE.replace("counter++;", "counter++;  // heddle: ignore[*] why not")))
        self.assertEqual((code, verdict["suppressed"]), (0, 1))

    def test_another_rule_is_not_covered_and_the_comment_is_unused(self):
        code, verdict, _ = self.check(marked("deadlock] words"))
        self.assertEqual((code, verdict["findings"]), (1, 1))
        self.assertIn("covers no finding", verdict["warnings"][0])

    def test_without_a_reason_it_does_not_count(self):
        code, verdict, _ = self.check(marked("data-race]"))
        self.assertEqual(code, 1)
        self.assertIn("gives no reason", verdict["warnings"][0])

    def test_expired(self):
        code, verdict, _ = self.check(marked("data-race] for a while until=2001-02-03"))
        self.assertEqual(code, 1)
        self.assertIn("expired on 2001-02-03", verdict["warnings"][0])
        self.assertEqual(self.heddle("suppress", "expire", "a.c").returncode, 0)
        self.assertEqual((self.top / "a.c").read_text(), UNLOCKED)
        self.assertIn("no suppression has expired", self.heddle("suppress", "expire", "a.c").stdout)

    def test_it_is_unused_when_the_finding_is_mended(self):
        self.check(marked("data-race] words"))
        code, verdict, _ = self.check(PROGRAM.replace("  counter++;\n  pthread_mutex_unlock(&m);\n  pthread_join", "  // heddle: ignore[data-race] words\n  counter++;\n  pthread_mutex_unlock(&m);\n  pthread_join"))
        self.assertEqual((code, verdict["verdict"]), (0, "clear"))
        self.assertIn("a.c:14: this suppression covers no finding", verdict["warnings"][0])

    def test_of_what_was_not_explored_nothing_is_unused(self):
        """The finding that it covers may be there, beyond what the check came to."""
        cut = marked("data-race] words").replace("int main(void) {\n", "int frob(void);\nint main(void) {\n  if (frob()) return 1;\n")
        code, verdict, _ = self.check(cut)
        self.assertEqual((code, verdict["verdict"], verdict["warnings"]), (3, "inconclusive", []))
        listed = self.heddle("suppress", "list", "a.c").stdout
        self.assertIn("0 findings suppressed, 0 suppressions without use; the check was inconclusive", listed)
        code, verdict, _ = self.check(cut.replace("int frob(void);", "int frob(void) { return 0; }").replace("ignore[data-race]", "ignore[deadlock]"))
        self.assertIn("covers no finding", verdict["warnings"][0])

    def test_other_warnings_are_no_suppressions(self):
        self.write(".heddle.yaml", "unknown-externals:\n  frob: fresh\n")
        _, verdict, _ = self.check(marked("data-race] words"))
        self.assertEqual(len(verdict["warnings"]), 1)
        listed = self.heddle("suppress", "list", "a.c").stdout
        self.assertIn("1 finding suppressed, 0 suppressions without use\n", listed)
        self.assertNotIn("frob", listed)

    def test_adding_the_comment_explores_nothing(self):
        self.check(UNLOCKED)
        code, verdict, _ = self.check(marked("data-race] words"))
        self.assertEqual((code, verdict["stats"]["executions"]), (0, 0))
        code, verdict, _ = self.check(UNLOCKED)
        self.assertEqual((code, verdict["findings"]), (1, 1))

    def test_add_list_remove(self):
        _, _, findings = self.check(UNLOCKED)
        identifier = findings[0]["id"]
        self.assertEqual(self.heddle("suppress", "add", identifier, "a.c").returncode, 2)
        self.assertEqual(self.heddle("suppress", "add", identifier, "a.c", "--reason", "x", "--until", "soon").returncode, 2)
        result = self.heddle("suppress", "add", identifier[:6], "a.c", "--reason", "only a statistic", "--owner", "ann")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.check()[0], 0)
        listed = self.heddle("suppress", "list", "a.c").stdout
        self.assertIn(identifier, listed)
        self.assertIn("only a statistic, owner ann", listed)
        self.assertEqual(self.heddle("suppress", "remove", identifier, "a.c").returncode, 0)
        self.assertEqual((self.top / "a.c").read_text(), UNLOCKED)
        self.assertEqual(self.check()[0], 1)

    def test_what_add_prints_undoes_it_without_a_database(self):
        _, _, findings = self.check(UNLOCKED)
        identifier = findings[0]["id"]
        for options, place in (([], "a.c"), (["a.c"], "a.c"), (["--in-settings"], ".heddle.yaml"), (["--scope", "object"], ".heddle.yaml"),
                               (["--scope", "function"], ".heddle.yaml"), (["--scope", "threads"], ".heddle.yaml")):
            with self.subTest(options=options):
                added = self.heddle("suppress", "add", identifier, "--reason", "x", *options)
                self.assertTrue(added.stdout.startswith(place + ": the data-race " + identifier), added.stdout + added.stderr)
                self.assertIn(f"    {place}:", self.heddle("suppress", "list", "a.c").stdout)
                self.undo(added)
                self.assertEqual((self.top / "a.c").read_text(), UNLOCKED)
                self.assertEqual(self.check()[0], 1)

    def test_what_add_prints_undoes_it_in_a_program_of_two_files(self):
        self.write("the rest.c", "int rest;\n")
        self.write("a.c", UNLOCKED)
        told = self.heddle("check", "a.c", "the rest.c", "--format=jsonl").stdout.splitlines()
        identifier = next(line["id"] for line in map(json.loads, told) if line["type"] == "finding")
        self.undo(self.heddle("suppress", "add", identifier, "--reason", "x"))
        self.assertEqual((self.top / "a.c").read_text(), UNLOCKED)

    def test_add_after_an_edit_that_nothing_checked(self):
        _, _, findings = self.check(UNLOCKED)
        self.write("a.c", "// words\n// more of them\n" + UNLOCKED)
        result = self.heddle("suppress", "add", findings[0]["id"], "--reason", "only a statistic")
        self.assertEqual(result.returncode, 0, result.stderr)
        disk = (self.top / "a.c").read_text().splitlines()
        at = disk.index("  // heddle: ignore[data-race] only a statistic")
        self.assertEqual(disk[at + 1], "  counter++;")
        self.assertEqual(self.check()[0], 0)

    def test_add_when_the_finding_was_mended_since(self):
        _, _, findings = self.check(UNLOCKED)
        self.write("a.c", PROGRAM)
        result = self.heddle("suppress", "add", findings[0]["id"], "--reason", "x")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("not in the files as they are now", result.stderr)
        self.assertEqual((self.top / "a.c").read_text(), PROGRAM)

    def test_a_full_disk_costs_no_source(self):
        _, _, findings = self.check(UNLOCKED)
        # No file can be written: the program is ended at the first byte.
        result = self.run_in(["sh", "-c", 'ulimit -f 0; exec "$0" "$@"', HEDDLE,
                              "suppress", "add", findings[0]["id"], "--reason", "x"])
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertEqual((self.top / "a.c").read_text(), UNLOCKED)
        self.write(".heddle.yaml", "version: 1\n")
        result = self.run_in(["sh", "-c", 'ulimit -f 0; exec "$0" "$@"', HEDDLE,
                              "suppress", "add", findings[0]["id"], "--reason", "x", "--in-settings"])
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertEqual((self.top / ".heddle.yaml").read_text(), "version: 1\n")

    def test_a_source_that_is_a_link_stays_one(self):
        self.write("real.c", UNLOCKED)
        (self.top / "a.c").symlink_to("real.c")
        _, _, findings = self.check()
        result = self.heddle("suppress", "add", findings[0]["id"], "a.c", "--reason", "x")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.top / "a.c").is_symlink())
        self.assertIn("heddle: ignore[data-race] x", (self.top / "real.c").read_text())
        self.assertEqual(list(self.top.glob("*.part")), [])

    def test_the_mode_stays(self):
        self.write("a.c", UNLOCKED).chmod(0o640)
        _, _, findings = self.check()
        self.assertEqual(self.heddle("suppress", "add", findings[0]["id"], "--reason", "x").returncode, 0)
        self.assertEqual((self.top / "a.c").stat().st_mode & 0o777, 0o640)

    def test_add_when_the_file_does_not_compile(self):
        _, _, findings = self.check(UNLOCKED)
        self.write("a.c", UNLOCKED + "int broken(\n")
        result = self.heddle("suppress", "add", findings[0]["id"], "--reason", "x")
        self.assertEqual(result.returncode, 4, result.stderr)
        result = self.heddle("suppress", "add", findings[0]["id"], "--reason", "x", "--in-settings")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_hook_lets_a_suppressed_finding_pass(self):
        self.write("a.c", PROGRAM)
        self.git("add", "a.c")
        self.commit("first")
        self.heddle("hook", "install")
        self.git("config", "heddle.budget", "60")
        self.write("a.c", marked("data-race] only a statistic"))
        self.git("add", "a.c")
        self.commit(check=True)


class Staged(Undo, Repository):
    """Nothing but the hook and `check --staged` saw the program, unless a test says so."""
    engine = "real"

    def staged(self, folder=None):
        result = self.heddle("check", "--staged", "--format=jsonl", folder=folder)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        return result, lines[-1], [line for line in lines if line["type"] == "finding"]

    def stage(self, text=UNLOCKED, name="a.c", folder=None):
        self.write(name, text, folder)
        self.git("add", "-A", folder=folder)
        result, _, findings = self.staged(folder)
        self.assertEqual((result.returncode, len(findings)), (1, 1), result.stdout)
        return findings[0]["id"]

    def add(self, identifier, *options, folder=None):
        result = self.heddle("suppress", "add", identifier, "--reason", "only a statistic", *options, folder=folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def assert_suppressed(self, folder=None):
        result, verdict, findings = self.staged(folder)
        self.assertEqual((result.returncode, verdict["findings"], verdict["suppressed"]), (0, 0, 1), result.stdout)
        self.assertEqual(findings[0]["suppressed"]["reason"], "only a statistic")
        return result

    def commit_with_hook(self, folder=None):
        self.install(folder)
        self.git("config", "heddle.budget", "60")
        return self.commit(check=True, folder=folder)

    def test_what_only_the_staged_check_told(self):
        self.add(self.stage())
        self.assertIn("a.c: suppressions that are not staged count here", self.assert_suppressed().stderr)
        self.assertIn("a.c: suppressions that are not staged count here", self.commit_with_hook().stderr)

    def test_staged_with_its_comment(self):
        self.add(self.stage())
        self.git("add", "a.c")
        self.assertNotIn("not staged", self.assert_suppressed().stderr)
        self.commit_with_hook()

    def test_in_a_folder_below(self):
        self.add(self.stage(name="deep/a.c"))
        self.assert_suppressed()
        self.commit_with_hook()

    def test_what_add_prints_undoes_it(self):
        added = self.add(self.stage())
        self.assert_suppressed()
        self.undo(added)
        self.assertEqual((self.top / "a.c").read_text(), UNLOCKED)
        self.assertEqual(self.staged()[0].returncode, 1)

    def test_show_and_replay_what_only_the_staged_check_told(self):
        identifier = self.stage()
        shown = self.heddle("show", identifier[:8])
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("of what is staged", shown.stderr)
        self.assertIn("data race on 'counter'", shown.stdout)
        self.assertIn("write counter", shown.stdout)
        replayed = self.heddle("replay", identifier)
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        self.assertIn("data race on 'counter'", replayed.stdout)

    def test_replay_runs_what_is_staged_although_the_disk_has_another_text(self):
        identifier = self.stage()
        self.write("a.c", "// words\n" + PROGRAM)
        replayed = self.heddle("replay", identifier)
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        self.git("add", "a.c")
        self.assertEqual(self.heddle("replay", identifier).returncode, 2)

    def test_show_and_replay_of_what_nobody_told(self):
        self.stage()
        for command in ("show", "replay"):
            result = self.heddle(command, "0123456789ab")
            self.assertEqual(result.returncode, 2, result.stdout)

    def test_what_the_editor_found_first(self):
        self.write("a.c", UNLOCKED)
        self.assertEqual(self.heddle("check", "a.c").returncode, 1)
        identifier = self.stage()
        self.add(identifier, "a.c")
        self.assert_suppressed()
        self.commit_with_hook()

    def test_in_the_settings(self):
        self.add(self.stage(), "--in-settings")
        self.assert_suppressed()
        self.git("add", ".heddle.yaml")
        self.assert_suppressed()
        self.commit_with_hook()

    def test_a_comment_at_the_end_of_the_line_that_is_not_staged(self):
        self.stage()
        self.write("a.c", UNLOCKED.replace(LINE, LINE.replace("counter++;", "counter++;  // heddle: ignore[*] only a statistic")))
        self.assert_suppressed()

    def test_the_disk_has_other_lines_than_the_index(self):
        identifier = self.stage()
        self.write("a.c", "// words\n// more of them\n" + UNLOCKED)
        self.add(identifier)
        disk = (self.top / "a.c").read_text().splitlines()
        at = disk.index("  // heddle: ignore[data-race] only a statistic")
        self.assertEqual(disk[at + 1], "  counter++;")
        self.assert_suppressed()

    def test_the_disk_has_the_statement_no_more(self):
        identifier = self.stage()
        self.write("a.c", "int main(void) { return 0; }\n")
        result = self.heddle("suppress", "add", identifier, "--reason", "x")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--in-settings", result.stderr)
        self.add(identifier, "--in-settings")
        self.assert_suppressed()

    def test_a_comment_at_another_statement_suppresses_nothing(self):
        self.stage()
        self.write("a.c", UNLOCKED.replace("  return 0;", "  // heddle: ignore[data-race] words\n  return 0;"))
        self.assertEqual(self.staged()[0].returncode, 1)

    def test_a_range_of_commits_does_not_look_at_the_disk(self):
        self.write("a.c", PROGRAM)
        self.git("add", "a.c")
        self.commit("right", check=True)
        identifier = self.stage()
        self.add(identifier)
        self.commit("wrong", check=True)
        self.assertEqual(self.heddle("check", "--range", "HEAD~1..HEAD").returncode, 1)

    def test_in_another_work_tree(self):
        self.write("a.c", PROGRAM)
        self.git("add", "a.c")
        self.commit("first", check=True)
        other = self.directory / "w"
        self.git("worktree", "add", "-q", str(other), "-b", "other")
        self.add(self.stage(folder=other), folder=other)
        self.assert_suppressed(other)
        self.install(other)
        self.git("config", "heddle.budget", "60")
        self.git("commit", "-q", "-m", "m", folder=other)


if __name__ == "__main__":
    unittest.main()
