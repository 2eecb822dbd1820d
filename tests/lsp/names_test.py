"""Programs with equal names, files that several programs share, programs that come and go: every surface says what is
known of the right one (real engine)."""
import json
import time
import unittest
from pathlib import Path

from client import LanguageServerTest, uri_of

BUGS = Path(__file__).resolve().parents[1] / "editor/bugs"

RIGHT = """#include <pthread.h>
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
WRONG = RIGHT.replace("  pthread_mutex_lock(&m);\n", "").replace("  pthread_mutex_unlock(&m);\n", "")


class WithDatabase(LanguageServerTest):
    engine = "real"

    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = str(self.directory / "cache")
        self.environment["HEDDLE_STATE_DIR"] = str(self.directory / "state")
        self.environment["HOME"] = str(self.directory)
        self.versions = {}

    def database(self, *files):
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.project), "file": str(self.project / f), "arguments": ["cc", "-c", str(self.project / f)]}
             for f in files]))

    def begin(self, *files, **options):
        client = self.client(options={"fixes": False, **options})
        for file in files:
            client.open(file)
        client.wait_idle()
        return client

    def save(self, client, path, text):
        self.versions[path] = self.versions.get(path, 1) + 1
        client.change(path, self.versions[path], [{"text": text}])
        client.save(path, text)
        client.wait_verdict_of_save(path)
        client.wait_idle()

    @staticmethod
    def told(client, method):
        """The last message for each project and target."""
        out = {}
        for message in client.messages:
            if message.get("method") == method:
                out[message["params"]["project"], message["params"]["target"]] = message["params"]
        return out

    def states(self, client, path):
        """What each surface says of a file: the set of states, of those that say anything."""
        uri = uri_of(path)
        fragments = [f["state"] for target in self.told(client, "heddle/fragmentStatus").values() for f in target["fragments"] if f["uri"] == uri]
        lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        findings = [f for told in client.findings.values() for f in told["findings"] if any(p["uri"] == uri for p in f["places"])]
        return {"fragments": set(fragments), "problems": bool([d for d in client.shown(path) if d["severity"] == 1]),
                "lens": any("finding" in lens["command"]["title"] for lens in lenses), "tree": bool(findings)}

    def assert_red(self, client, path):
        states = self.states(client, path)
        self.assertIn("error", states["fragments"] or {"error"}, path)
        self.assertTrue(states["problems"] and states["tree"], (path, states))

    def assert_green(self, client, path):
        states = self.states(client, path)
        self.assertNotIn("error", states["fragments"], path)
        self.assertEqual((states["problems"], states["lens"], states["tree"]), (False, False, False), (path, states))


class Names(WithDatabase):
    def test_two_lone_files_of_one_stem(self):
        one, other = self.write("race.c", RIGHT), self.write("race.cpp", RIGHT)
        client = self.begin(one, other)
        self.assert_green(client, one)
        self.save(client, one, WRONG)
        self.assert_red(client, one)
        self.assert_green(client, other)
        self.save(client, other, WRONG)
        self.assert_red(client, one)
        self.assert_red(client, other)
        self.save(client, one, RIGHT)
        time.sleep(2.5)   # what the other one has written to the ledger is not taken for this one's
        client.wait_idle()
        self.assert_green(client, one)
        self.assert_red(client, other)

    def test_copies_have_one_id_and_stay_apart(self):
        one, other = self.write("a/race.c", WRONG), self.write("b/race.c", "\n" + WRONG)
        client = self.begin(one, other)
        findings = {f["project"]: f for told in client.findings.values() for f in told["findings"]}
        self.assertEqual(set(findings), {uri_of(one), uri_of(other)})
        for path in (one, other):
            finding = findings[uri_of(path)]
            self.assertEqual({p["uri"] for p in finding["places"]}, {uri_of(path)})
            reference = {key: finding[key] for key in ("id", "project", "target")}
            trace = client.ask("heddle/trace", reference)
            self.assertEqual({s["uri"] for s in trace["steps"]}, {uri_of(path)})
            lens = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}})
            for command in (entry["command"] for entry in lens):
                if command["command"] == "heddle.showInterleaving":
                    self.assertEqual(command["arguments"], [reference])
            here = {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}}
            actions = client.ask("textDocument/codeAction", {"textDocument": {"uri": uri_of(path)}, "range": here, "context": {"diagnostics": []}})
            asked = [action["command"]["arguments"][0] for action in actions if action.get("command")]
            self.assertTrue(asked)
            self.assertEqual({argument["project"] for argument in asked}, {uri_of(path)})
        self.save(client, one, RIGHT)
        self.assert_green(client, one)
        self.assert_red(client, other)

    def test_a_proved_fix_is_that_of_the_file(self):
        one, other = self.write("a/race.c", WRONG), self.write("b/race.c", "\n\n" + WRONG)
        client = self.begin(one, other, fixes=True)
        here = {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}}
        def edits(path):
            actions = client.ask("textDocument/codeAction", {"textDocument": {"uri": uri_of(path)}, "range": here, "context": {"diagnostics": []}})
            return [document["textDocument"]["uri"] for action in actions for document in action.get("edit", {}).get("documentChanges", [])]
        end = time.monotonic() + 60
        while time.monotonic() < end and not (edits(one) or edits(other)):
            time.sleep(0.5)
        for path in (one, other):
            self.assertLessEqual(set(edits(path)), {uri_of(path)})

    def test_equal_names_in_different_folders_of_one_project(self):
        one, other = self.write("a/main.c", RIGHT), self.write("b/main.c", RIGHT)
        self.database("a/main.c", "b/main.c")
        client = self.begin(one, other)
        self.save(client, one, WRONG)
        self.save(client, other, WRONG)
        self.assert_red(client, one)
        self.assert_red(client, other)
        self.save(client, other, RIGHT)
        self.assert_red(client, one)
        self.assert_green(client, other)
        self.assertEqual({f["target"] for told in client.findings.values() for f in told["findings"]}, {"a/main"})

    def test_a_second_program_of_the_name_comes_and_goes(self):
        path = self.write("race.c", WRONG)
        self.database("race.c")
        client = self.begin(path)
        self.assertEqual({f["target"] for told in client.findings.values() for f in told["findings"]}, {"race"})
        other = self.write("race.cpp", RIGHT)
        self.database("race.c", "race.cpp")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(self.project / "compile_commands.json"), "type": 2}]})
        client.open(other)
        client.wait_idle()
        self.save(client, path, WRONG + "\n")
        findings = [f for told in client.findings.values() for f in told["findings"]]
        self.assertEqual({f["target"] for f in findings}, {"race.c"}, findings)
        self.save(client, path, RIGHT)
        self.assert_green(client, path)
        self.assertEqual([f for told in client.findings.values() for f in told["findings"]], [])

    HEADER = "static int counter;\nstatic inline void bump(void) {\n  counter += 1;\n}\n"
    ALONE = '#include "bump.h"\nint main(void) {\n  bump();\n  return counter;\n}\n'
    THREADS = RIGHT.replace("static int counter;", '#include "bump.h"').replace("counter++", "bump()")

    def test_a_statement_that_programs_share_is_clear_only_if_it_is_in_all(self):
        header = self.write("bump.h", self.HEADER)
        alone, threads = self.write("quiet.c", self.THREADS), self.write("racy.c", self.THREADS.replace("  pthread_mutex_lock(&m);\n", "").replace("  pthread_mutex_unlock(&m);\n", ""))
        self.database("quiet.c", "racy.c")
        client = self.begin(alone, threads, header)
        self.save(client, header, self.HEADER.replace("+= 1", "+= 2"))
        told = self.told(client, "heddle/fragmentStatus")
        states = {target: {f["state"] for f in params["fragments"] if f["uri"] == uri_of(header)} for (_, target), params in told.items()}
        self.assertTrue(any(states.values()), told)
        for target, seen in states.items():
            self.assertLessEqual(seen, {"error"}, (target, told))


class NothingIsClearThatAFindingRunsThrough(WithDatabase):
    """The line of a clear fragment has no place of an open finding, and no step of its story."""

    def lines_of(self, client, finding):
        reference = {key: finding[key] for key in ("id", "project", "target")}
        trace = client.ask("heddle/trace", reference)
        steps = [s for s in trace["steps"] if s["decisive"] or s["detail"] == 1]
        return {(s["uri"], s["range"]["start"]["line"]) for s in steps} | {(p["uri"], p["range"]["start"]["line"]) for p in trace["places"]}

    def test_in_all_programs(self):
        for name, line in json.loads((BUGS / "edits.json").read_text()).items():
            with self.subTest(name):
                right = (BUGS / name).read_text()
                wrong = "\n".join(line if old.endswith("// here") else old for old in right.split("\n"))
                path = self.write(name, right)
                client = self.begin(path)
                self.save(client, path, wrong)
                findings = [f for told in client.findings.values() for f in told["findings"] if f["state"] != "not-confirmed"]
                self.assertTrue(findings)
                hit = set().union(*(self.lines_of(client, finding) for finding in findings))
                seen = 0
                for target in self.told(client, "heddle/fragmentStatus").values():
                    for fragment in target["fragments"]:
                        seen += 1
                        at = (fragment["uri"], fragment["range"]["start"]["line"])
                        self.assertFalse(fragment["state"] == "clear" and at in hit, (name, fragment))
                self.assertGreater(seen, 0)
                client.stop()
                self.clients.remove(client)
                self.versions.clear()


if __name__ == "__main__":
    unittest.main()
