"""States that are true: lens, fragments, pairs, status, hover and Problems all say what the last verdicts say (scripted
engine; the last class with the real one)."""
import json
import subprocess
import time
import unittest
from pathlib import Path

from client import BINARIES, LanguageServerTest, uri_of

HEDDLE = str(BINARIES / "heddle")
BUGS = Path(__file__).resolve().parents[1] / "editor/bugs"   # right programs; the line that makes each of them wrong


class Surfaces:
    """What one client shows of one file."""

    def __init__(self, client, path):
        self.client, self.path = client, path

    def last(self, method):
        told = [m["params"] for m in self.client.messages if m.get("method") == method]
        return told[-1] if told else {}

    def fragments(self):
        return [f["state"] for f in self.last("heddle/fragmentStatus").get("fragments", [])]

    def pairs(self):
        return [p["state"] for p in self.last("heddle/pairStatus").get("pairs", []) if p["chosen"]]

    def status(self):
        return list(self.client.status.values())[0]

    def lenses(self):
        return [lens["command"] for lens in self.client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(self.path)}})]

    def titles(self):
        return [command["title"] for command in self.lenses()]

    def problems(self):
        return [d["code"] for d in self.client.shown(self.path)]

    def hover(self, line):
        told = self.client.ask("textDocument/hover", {"textDocument": {"uri": uri_of(self.path)}, "position": {"line": line, "character": 0}})
        return told["contents"]["value"] if told else ""


class States(LanguageServerTest):
    def begin(self, text, name="a.c"):
        self.opened = self.client()
        self.path = self.write(name, text)
        self.version = 1
        self.opened.open(self.path)
        self.opened.wait_idle()
        return Surfaces(self.opened, self.path)

    def save(self, text):
        self.version += 1
        self.opened.change(self.path, self.version, [{"text": text}])
        self.opened.save(self.path, text)
        self.opened.wait_idle()

    RACY = "\nx++; // fake: fragment changed worker findings\ny++; // fake: at aa0000000001 worker\n"

    def assert_red(self, shown, finding="data-race"):
        self.assertEqual(shown.fragments(), ["error"])
        self.assertEqual(shown.pairs(), ["error"])
        self.assertEqual(shown.status()["state"], "error")
        self.assertEqual(shown.problems(), [finding])
        self.assertIn("1 finding", shown.titles()[0])

    def test_after_a_fix_everything_turns(self):   # editor 1
        shown = self.begin(self.RACY)
        self.assert_red(shown)
        self.save("\nx++; // fake: same\ny++;\n")
        self.assertEqual(shown.fragments(), ["clear"])
        self.assertEqual(shown.pairs(), ["clear"])
        self.assertEqual(shown.status()["state"], "clear")
        self.assertEqual(shown.problems(), [])
        self.assertIn("1 pair clear", shown.titles()[0])
        self.assertIn("changed here: clear", shown.hover(1))

    def test_what_is_taken_over_from_another_client_is_not_shown_in_part(self):
        go, ledger = self.directory / "go", self.project / ".fake/ledger.sqlite"
        ledger.parent.mkdir()
        ledger.write_text("one")
        shown = self.begin(f"// fake: known {go}" + self.RACY)
        self.assert_red(shown)
        client, generation = self.opened, shown.status()["generation"]
        checks = lambda: json.loads(subprocess.run([HEDDLE, "status", "--format=jsonl"], env=self.environment, cwd=self.project,
                                                   capture_output=True, text=True).stdout)["projects"][0]["phase"]
        time.sleep(1.5)   # the server has learnt where the ledger is
        begin = len(client.messages)
        ledger.write_text("another client's")
        end = time.monotonic() + 60
        while checks() == "idle":
            self.assertLess(time.monotonic(), end, "what is known is looked up")
        time.sleep(0.5)   # twice what publishing may wait
        self.assert_red(shown)
        go.touch()
        client.wait(lambda: shown.status()["generation"] > generation, what="what is known")
        client.wait_idle()
        self.assert_red(shown)
        states = [f["state"] for m in client.messages[begin:] if m.get("method") == "heddle/fragmentStatus" for f in m["params"]["fragments"]]
        self.assertEqual(set(states) - {"error"}, set())

    def test_after_an_undo_of_the_fix_everything_turns_back(self):
        shown = self.begin(self.RACY)
        self.save("\nx++; // fake: same\ny++;\n")
        self.save("\nx++; // fake: same\ny++; // fake: at aa0000000001 worker\n")
        self.assert_red(shown)

    def test_a_lens_that_was_asked_for_while_typing_is_asked_for_again(self):
        shown = self.begin(self.RACY)
        self.assertNotIn("stale", shown.titles()[0])
        for version, text in ((2, self.RACY.replace("x++", "x--")), (3, self.RACY)):
            before = self.refreshes()
            self.opened.change(self.path, version, [{"text": text}])
            if version == 2:
                self.assertIn("stale", shown.titles()[0])
        self.opened.wait(lambda: self.refreshes() > before, what="that the client is told to ask again")
        self.assertNotIn("stale", shown.titles()[0])

    def refreshes(self):
        return sum(m.get("method") == "workspace/codeLens/refresh" for m in self.opened.messages)

    def test_another_program_takes_the_fragments_of_the_last_change_away(self):
        shown = self.begin("// fake: program one\n")
        self.save("\nx++; // fake: fragment changed worker clear\n// fake: program two\n")
        self.assertEqual(shown.fragments(), ["clear"])
        self.save("\nx++; // fake: same\n// fake: program one\n")
        self.assertEqual(shown.fragments(), ["clear"])
        self.save("\nx++; // fake: same\n// fake: program three\n")
        self.assertEqual(shown.fragments(), [])
        self.assertEqual(shown.titles(), [])

    def test_a_finding_of_the_edit_makes_it_red_wherever_the_finding_is(self):   # editor 3, 16
        shown = self.begin("\nx++; // fake: fragment changed finish clear\ny++; // fake: at aa0000000001 progress\n")
        self.assert_red(shown)
        self.assertEqual(shown.lenses()[0]["command"], "heddle.showInterleaving")
        self.assertEqual(shown.lenses()[0]["arguments"], [{"id": "aa0000000001", "project": uri_of(self.path), "target": "main"}])

    def test_a_finding_in_one_fragment_leaves_the_others_clear(self):
        shown = self.begin("x++; // fake: fragment changed worker findings\ny++; // fake: fragment changed other clear\n"
                           "z(); x++; // fake: at aa0000000001 worker\n")
        self.assertEqual(shown.fragments(), ["error", "clear"])
        self.assertEqual(shown.pairs(), ["error", "clear"])

    def test_a_suppressed_finding_is_no_error_anywhere(self):
        shown = self.begin("x++; // fake: fragment changed worker findings\ny++; // fake: suppressed aa0000000001\n")
        self.assertEqual(shown.fragments(), ["clear"])
        self.assertEqual(shown.status()["state"], "clear")
        self.assertNotIn("finding", shown.titles()[0])

    def test_a_compile_error_is_not_checked_because(self):   # editor 4
        shown = self.begin("x++; // fake: fragment changed worker clear\n")
        self.save("x++; // fake: error expected ';'\n")
        status = shown.status()
        self.assertEqual((status["state"], status["code"]), ("not-checked", "compile-error"))
        self.assertEqual(shown.fragments(), ["stale"])
        self.assertEqual(shown.problems(), ["compile-error"])
        self.assertIn("expected ';'", self.opened.shown(self.path)[0]["message"])
        self.assertTrue(any("not checked" in title and "expected ';'" in title for title in shown.titles()), shown.titles())
        self.save("x++; // fake: same\n")
        self.assertEqual(shown.problems(), [])
        self.assertEqual(shown.status()["state"], "clear")
        self.assertEqual(shown.fragments(), ["clear"])

    def test_no_program_is_not_checked_because(self):   # editor 4
        shown = self.begin("\nx++; // fake: usage no file defines main()\n")
        status = shown.status()
        self.assertEqual((status["state"], status["code"]), ("not-checked", "no-database"))
        self.assertIn("no file defines main()", status["reason"])
        self.assertEqual(status["remedy"]["command"], "heddle.mendSetup")
        diagnostic, = self.opened.shown(self.path)
        self.assertEqual(diagnostic["range"]["start"]["line"], 0)
        self.assertEqual(diagnostic["data"]["remedy"]["command"], "heddle.mendSetup")
        self.assertEqual(shown.lenses()[0]["command"], "heddle.mendSetup")

    def test_a_file_that_no_program_needs_leaves_the_others_alone(self):
        self.write("compile_commands.json", "[]")
        shown = self.begin("x++; // fake: fragment changed worker clear\n")
        self.opened.open(self.write("b.c", "// fake: usage no program of the project needs b.c\n"))
        self.opened.wait_idle()
        self.assertEqual(shown.status()["code"], "no-program")
        self.assertEqual(shown.fragments(), ["clear"])

    def test_an_unknown_function_is_a_mark_at_its_call_and_not_green(self):   # editor 10
        shown = self.begin("x++; // fake: fragment changed worker clear\nfrob(); // fake: unknown frob\n")
        self.assertEqual(shown.fragments(), ["inconclusive"])
        self.assertEqual(shown.pairs(), ["inconclusive"])
        self.assertEqual((shown.status()["state"], shown.status()["code"]), ("inconclusive", "unknown-function"))
        diagnostic, = self.opened.shown(self.path)
        self.assertEqual((diagnostic["code"], diagnostic["severity"]), ("unknown-function", 3))
        self.assertEqual(diagnostic["range"]["start"]["line"], 1)
        self.assertIn("frob", diagnostic["message"])
        self.assertNotIn(str(self.path), diagnostic["message"])
        self.assertTrue(any("inconclusive" in title for title in shown.titles()), shown.titles())

    def test_a_change_is_not_green_before_its_check_ends(self):
        client = self.client()
        path = self.write("a.c", "x++; // fake: fragment changed worker clear\n// fake: sleep 1500\n")
        shown = Surfaces(client, path)
        client.open(path)
        client.wait(lambda: shown.fragments())
        self.assertEqual(shown.fragments(), ["queued"])
        client.wait(lambda: shown.fragments() == ["clear"])

    def test_a_cancelled_check_says_so_everywhere(self):
        client = self.client()
        path = self.write("a.c", "x++; // fake: fragment changed worker clear\n// fake: sleep 30000\n")
        shown = Surfaces(client, path)
        client.open(path)
        client.wait(lambda: shown.fragments())
        client.ask("heddle/cancelPair", {"project": uri_of(path)})
        client.wait_idle()
        self.assertEqual(shown.fragments(), ["not-checked"])
        self.assertEqual(shown.pairs(), ["not-checked"])
        self.assertEqual((shown.status()["state"], shown.status()["code"]), ("not-checked", "cancelled"))

    def test_stale_findings_are_never_more_than_findings(self):   # editor 17
        shown = self.begin(self.RACY + "z++; // fake: suppressed aa0000000002\n")
        self.opened.change(self.path, 2, [{"text": "int other;\n" + self.RACY}])
        self.opened.wait(lambda: shown.status()["state"] == "stale")
        self.assertEqual((shown.status()["findings"], shown.status()["stale"]), (1, 1))
        self.opened.wait(lambda: shown.fragments() == ["stale"], what="the fragment, too")   # each has a pause of its own

    def test_the_lens_counts_what_problems_counts(self):
        shown = self.begin("x++; // fake: fragment changed worker findings\ny++; // fake: at aa0000000001 worker\n"
                           "z++; // fake: at aa0000000002 worker\nw++; // fake: suppressed aa0000000003\n")
        problems = {d["data"]["id"] for d in self.opened.shown(self.path)}
        self.assertEqual(len(problems), 2)
        self.assertIn("2 findings", shown.titles()[0])

    def test_no_daemon_to_be_had(self):
        self.environment["HEDDLE_DAEMON"] = "/nonexistent/heddled"
        client = self.client()
        client.open(self.write("a.c", "int x;\n"))
        client.wait(lambda: [s for s in client.status.values() if s["state"] == "not-checked" and s["code"] == "daemon"], 120)
        self.assertEqual(list(client.status.values())[0]["remedy"]["command"], "heddle.restartDaemon")


PROGRAM = """#include <pthread.h>
static int counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *p) {
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return counter;
}
"""
RACY = PROGRAM.replace("  pthread_mutex_lock(&m);\n", "").replace("  pthread_mutex_unlock(&m);\n", "")


class RealStates(LanguageServerTest):
    engine = "real"

    def begin(self, text, name="a.c", **options):
        self.environment["XDG_CACHE_HOME"] = str(self.directory / "cache")
        self.environment["HEDDLE_STATE_DIR"] = str(self.directory / "state")
        client = self.client(**options)
        path = self.write(name, text)
        client.open(path)
        client.wait_idle()
        return client, path

    def test_green_to_red_to_green(self):   # editor 1
        client, path = self.begin(PROGRAM)
        shown = Surfaces(client, path)
        self.assertNotIn("error", shown.fragments())
        for version, (text, state) in enumerate([(RACY, "error"), (PROGRAM, "clear"), (RACY, "error"), (PROGRAM, "clear")], 2):
            client.change(path, version, [{"text": text}])
            client.save(path, text)
            client.wait_idle()
            self.assertEqual(shown.status()["state"], state)
            self.assertEqual(set(shown.fragments()), {state}, version)
            self.assertEqual(set(shown.pairs()), {state}, version)
            self.assertEqual(bool(client.shown(path)), state == "error")
            self.assertEqual(any("finding" in title for title in shown.titles()), state == "error", shown.titles())

    def test_six_kinds_of_bugs_in_c_and_in_cpp(self):
        for name, line in json.loads((BUGS / "edits.json").read_text()).items():
            with self.subTest(name):
                right = (BUGS / name).read_text()
                wrong = "\n".join(line if old.endswith("// here") else old for old in right.split("\n"))
                client, path = self.begin(right, name=name)
                shown = Surfaces(client, path)
                for version, (text, state) in enumerate([(wrong, "error"), (right, "clear"), (wrong, "error")], 2):
                    client.change(path, version, [{"text": text}])
                    client.save(path, text)
                    client.wait_idle()
                    told = {"status": shown.status()["state"], "fragments": set(shown.fragments()), "pairs": set(shown.pairs()),
                            "problems": "error" if shown.problems() else "clear",
                            "lens": "error" if any("finding" in title for title in shown.titles()) else "clear"}
                    self.assertEqual(told["status"], state)
                    self.assertEqual(told["problems"], state)
                    self.assertTrue(shown.fragments(), name)
                    self.assertEqual("error" in told["fragments"], state == "error", (told, shown.titles()))
                    self.assertEqual("error" in told["pairs"], state == "error", told)
                    self.assertEqual(told["lens"], state, shown.titles())
                client.stop()

    def test_a_check_in_the_terminal_counts(self):   # editor 17
        client, path = self.begin(PROGRAM, options={"run": "manual", "fixes": False})
        client.ask("heddle/check", {"textDocument": {"uri": uri_of(path)}})
        client.wait(lambda: any(s["state"] == "clear" for s in client.status.values()))
        client.change(path, 2, [{"text": RACY}])
        client.save(path, RACY)
        client.wait(lambda: any(s["state"] == "stale" for s in client.status.values()))
        subprocess.run([HEDDLE, "check", str(path)], cwd=self.project, env=self.environment, capture_output=True)
        client.wait(lambda: any(s["state"] == "error" for s in client.status.values()), 20, "the terminal's result")
        client.wait_shown(path, lambda d: len(d) >= 1 and not d[0]["data"]["stale"])
        generation = list(client.status.values())[0]["generation"]
        client.ask("heddle/memoryUsage")
        time.sleep(3)   # it is taken over once, and not again and again
        self.assertEqual(list(client.status.values())[0]["generation"], generation)

    def test_lone_files_of_one_folder_come_to_rest(self):   # they share a ledger
        client, path = self.begin(RACY)
        other = self.write("other.c", RACY)
        client.open(other)
        client.save(other, RACY)
        client.wait(lambda: len([s for s in client.status.values() if s["state"] == "error"]) == 2)
        subprocess.run([HEDDLE, "check", str(path)], cwd=self.project, env=self.environment, capture_output=True)
        time.sleep(2)
        generations = {name: status["generation"] for name, status in client.status.items()}
        time.sleep(2.5)   # the ledger is looked at each second
        self.assertEqual({name: status["generation"] for name, status in client.status.items()}, generations)

    def database(self, *names):
        self.write("compile_commands.json", json.dumps([
            {"directory": str(self.project), "file": name, "arguments": ["cc", "-c", name]} for name in names]))

    def gone(self, go, path, told=()):
        """After `go` nothing is shown in `path`, and what the clients know of its program is empty."""
        client = self.clients[-1]
        before = {file: file.stat().st_mtime_ns for file in told}
        go()
        changed = [file for file in told if not file.exists() or file.stat().st_mtime_ns != before[file]]
        if changed:
            client.notify("workspace/didChangeWatchedFiles", {"changes": [
                {"uri": uri_of(file), "type": 2 if file.exists() else 3} for file in changed]})
        def empty():
            open_ones = [f for of in client.findings.values() for f in of["findings"] if f["places"][0]["uri"] == uri_of(path)]
            last = {m["params"]["target"]: m["params"]["pairs"] for m in client.messages if m.get("method") == "heddle/pairStatus"}
            return not client.diagnostics.get(uri_of(path), {}).get("diagnostics") and not open_ones and not last["b"]
        client.wait(empty, what=f"nothing in {path}")

    def test_a_program_that_is_gone_shows_nothing(self):   # whether the client tells of the files or not
        ways = {
            "deleted": lambda path: path.unlink(),
            "renamed": lambda path: path.rename(path.with_name("z.c")),
            "left the database": lambda path: self.database("a.c"),
            "no main()": lambda path: path.write_text("int b;\n"),
            "no database": lambda path: (self.project / "compile_commands.json").unlink(),
        }
        for name, go in ways.items():
            for tells in (True, False):
                if not tells and name not in ("deleted", "renamed"):
                    continue
                with self.subTest(name, tells=tells):
                    self.project = self.directory / f"{name} {tells}"
                    other, path = self.write("a.c", RACY), self.write("b.c", RACY)
                    self.database("a.c", "b.c")
                    client = self.client()
                    client.open(other)
                    client.ask("workspace/executeCommand", {"command": "heddle.check", "arguments": []})
                    client.wait_shown(path, lambda d: len(d) > 0)
                    client.wait_idle()
                    told = (path, self.project / "compile_commands.json") if tells else ()
                    self.gone(lambda: go(path), path, told)
                    client.wait_idle()
                    self.assertEqual(bool(client.shown(other)), True)   # of the database, or as a lone file
                    client.stop()

    def test_a_lone_file_that_is_gone_shows_nothing(self):
        for tells in (True, False):
            with self.subTest(tells=tells):
                self.project = self.directory / f"lone {tells}"
                client, path = self.begin(RACY, name="b.c")
                client.close(path)
                client.wait_shown(path, lambda d: len(d) > 0)
                self.gone(path.unlink, path, (path,) if tells else ())
                client.wait(lambda: client.status == {}, what="no project")
                client.stop()



if __name__ == "__main__":
    unittest.main()
