"""Conversations with the real engine: what needs a program that is really compiled and explored."""
import json
import subprocess
import sys
import time
import unittest
from pathlib import Path

from client import BINARIES, LanguageServerTest, uri_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from counter_program import GUARDED as PROGRAM, RACY  # noqa: E402


def actions_at(client, path, line):
    here = {"start": {"line": line, "character": 4}, "end": {"line": line, "character": 4}}
    return client.ask("textDocument/codeAction", {"textDocument": {"uri": uri_of(path)}, "range": here, "context": {"diagnostics": []}})


def suppress(test, client, identifier, text, **more):
    """Suppresses a finding by a comment; the text with the edit that the server asked for."""
    call = client.send("workspace/executeCommand", {"command": "heddle.suppress", "arguments": [dict(more, id=identifier)]})
    edit = client.wait(lambda: [r for r in client.requests if r["method"] == "workspace/applyEdit"])[0]["params"]["edit"]
    change = edit["documentChanges"][0]["edits"][0]
    test.assertEqual(client.answer(call)["result"], {"applied": True})
    lines = text.split("\n")
    lines.insert(change["range"]["start"]["line"], change["newText"].rstrip("\n"))
    return "\n".join(lines)


class RealEngine(LanguageServerTest):
    engine = "real"

    def begin(self, text, **more):
        more.setdefault("options", {"fixes": False})
        client = self.client(**more)
        path = self.write("a.c", text)
        client.open(path)
        client.wait_idle()
        return client, path

    def test_a_racy_edit_and_its_repair(self):
        client, path = self.begin(PROGRAM)
        self.assertEqual(client.shown(path), [])
        client.change(path, 2, [{"text": RACY}])
        client.save(path, RACY)
        shown = client.wait_shown(path, lambda d: len(d) == 2)
        self.assertEqual(sorted(d["range"]["start"]["line"] for d in shown), [5, 12])
        self.assertEqual(shown[0]["range"]["start"]["character"], 2)
        self.assertEqual(shown[0]["range"]["end"]["character"], 11)
        for diagnostic in shown:
            self.assertTrue(1 <= len(diagnostic["relatedInformation"]) <= 6)
        client.wait_idle()
        lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}})
        self.assertTrue(any("show interleaving" in lens["command"]["title"] for lens in lenses), lenses)
        trace = client.ask("heddle/trace", {"id": shown[0]["data"]["id"]})
        self.assertEqual(len(trace["threads"]), 2)
        self.assertTrue(any(step["kind"] == "lock" and step["object"].endswith("'m'") for step in trace["steps"]))
        self.assertTrue(any(step.get("valueRead") for step in trace["steps"]))
        self.assertTrue(any(step["after"] for step in trace["steps"]))
        client.change(path, 3, [{"text": PROGRAM}])
        client.wait_shown(path, lambda d: len(d) == 2 and all(x["data"]["stale"] for x in d))
        client.save(path, PROGRAM)
        client.wait_shown(path, lambda d: d == [])

    def test_what_a_race_leads_to_is_no_error_of_its_own(self):
        client, path = self.begin("#include <assert.h>\n" + RACY.replace("  return 0;", "  assert(counter == 2);\n  return 0;"))
        shown = client.wait_shown(path, lambda d: len(d) == 3)
        told = {d["code"]: d for d in shown}
        self.assertEqual(sorted(d["severity"] for d in shown), [1, 1, 3])
        self.assertEqual((told["assertion"]["severity"], told["assertion"]["range"]["start"]["line"]), (3, 15))
        race = told["data-race"]["data"]["id"]
        self.assertTrue(told["assertion"]["message"].startswith(f"The race {race} leads to: assertion 'counter == 2' failed"))
        client.wait_idle()
        (findings,), (status,) = client.findings.values(), client.status.values()
        self.assertEqual({f["rule"]: f["followsFrom"] for f in findings["findings"]}, {"data-race": [], "assertion": [race]})
        self.assertEqual(status["findings"], 1)

    def test_a_use_of_freed_memory_and_its_race_with_the_free_are_one_finding(self):
        client, path = self.begin((Path(__file__).resolve().parents[1] / "editor/bugs/lifetime.c").read_text().replace(
            "  pthread_join(thread, 0), free(answer);  // here", "  free(answer), pthread_join(thread, 0);"))
        (findings,), (status,) = client.findings.values(), client.status.values()
        self.assertEqual({f["rule"] for f in findings["findings"]}, {"data-race", "use-after-free"})
        self.assertEqual(len({f["group"] for f in findings["findings"]}), 1)
        self.assertEqual(status["findings"], 1)

    def test_what_the_engine_does_unasked_is_said(self):
        many = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n" \
            "static void *work(void *p) {\n  for (int i = 0; i < 40; i++) atomic_store(&n, atomic_load(&n) * 3 + i);\n  return p;\n}\n" \
            "int main(void) {\n  pthread_t t[5];\n  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, work, 0);\n" \
            "  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);\n  return 0;\n}\n"
        self.environment["HEDDLE_BACKGROUND_SECONDS"] = "15"
        client, path = self.begin(many, options={"fixes": False, "timeLimitSeconds": 0.5})
        status = lambda: list(client.status.values())[0]
        self.assertEqual((status()["state"], status()["code"]), ("inconclusive", "limit"))
        said = client.wait(lambda: status().get("background"), what="what the engine explores further")
        self.assertEqual(said, {"target": "a", "doing": "exploring every interleaving"})
        terminal = [json.loads(line) for line in subprocess.run(
            [str(BINARIES / "heddle"), "status", "--format=jsonl"], env=self.environment, cwd=self.project,
            capture_output=True, text=True).stdout.splitlines()]
        self.assertEqual(terminal[0]["projects"][0]["background"], {"part": "full", "target": "a"})
        client.wait(lambda: "background" not in status(), what="that it has ended")
        self.assertEqual((status()["state"], status()["phase"]), ("inconclusive", "idle"))

    def test_a_comment_makes_nothing_stale(self):
        client, path = self.begin(RACY)
        client.wait_shown(path, lambda d: len(d) == 2)
        # libclang parses the headers once; after that it says quickly that a comment does not matter.
        client.change(path, 2, [{"text": "// words\n" + RACY}])
        client.wait_shown(path, lambda d: len(d) == 2 and not any(x["data"]["stale"] for x in d) and d[0]["range"]["start"]["line"] in (6, 13))
        time.sleep(1)
        client.change(path, 3, [{"text": "/* more */ // words\n" + RACY}])
        client.ask("heddle/memoryUsage")
        before = len(client.messages)
        time.sleep(1)
        stale = [m for m in client.messages[before:] if m.get("method") == "textDocument/publishDiagnostics"
                 and any(d["data"]["stale"] for d in m["params"]["diagnostics"])]
        self.assertEqual(stale, [])
        client.save(path, "/* more */ // words\n" + RACY)
        client.wait_idle()
        status = list(client.status.values())[0]
        self.assertEqual(status["verdict"]["interleavings"], 0)   # nothing was explored

    def test_a_renamed_local_makes_nothing_stale(self):
        client, path = self.begin(RACY)
        client.wait_shown(path, lambda d: len(d) == 2)
        client.change(path, 2, [{"text": RACY.replace("void *p)", "void *argument)").replace("return p;", "return argument;")}])
        client.wait(lambda: client.diagnostics[uri_of(path)]["version"] == 2)
        client.wait_shown(path, lambda d: len(d) == 2 and not any(x["data"]["stale"] for x in d))

    def test_typing_is_checked_when_it_can_matter(self):
        supply = self.directory / "power" / "BAT0"
        supply.mkdir(parents=True)
        self.environment["HEDDLE_POWER_SUPPLY"] = str(supply.parent)
        client, path = self.begin(PROGRAM, options={"run": "change", "changeDelayMs": 50})
        generation = list(client.status.values())[0]["generation"]
        client.change(path, 2, [{"text": "// a comment\n" + PROGRAM}])
        time.sleep(2.5)
        self.assertEqual(list(client.status.values())[0]["generation"], generation)
        client.change(path, 3, [{"text": PROGRAM + "int broken( {\n"}])
        time.sleep(2.5)
        self.assertEqual(list(client.status.values())[0]["generation"], generation)
        client.change(path, 4, [{"text": RACY}])   # never saved
        client.wait_shown(path, lambda d: len(d) == 2)
        client.wait(lambda: list(client.status.values())[0]["generation"] != generation)
        client.wait_idle()
        # On battery a save is checked, and typing is not.
        (supply / "type").write_text("Battery\n")
        (supply / "status").write_text("Discharging\n")
        client.wait(lambda: list(client.status.values())[0]["savesPower"])
        generation = list(client.status.values())[0]["generation"]
        client.change(path, 5, [{"text": PROGRAM}])
        client.wait_shown(path, lambda d: all(x["data"]["stale"] for x in d))
        time.sleep(0.5)
        self.assertEqual(list(client.status.values())[0]["generation"], generation)
        client.save(path, PROGRAM)
        client.wait_shown(path, lambda d: d == [])
        (supply / "status").write_text("Charging\n")
        client.wait(lambda: not list(client.status.values())[0]["savesPower"])

    def test_typing_is_checked_where_checks_are_quick(self):
        client, path = self.begin(PROGRAM, options={"run": "auto", "changeDelayMs": 50, "fixes": False})
        status = lambda: list(client.status.values())[0]
        self.assertFalse(status()["checksWhileTyping"])   # nothing is known of this project
        generation = status()["generation"]
        client.change(path, 2, [{"text": RACY}])
        time.sleep(1)
        self.assertEqual(status()["generation"], generation)
        version = 2
        while not status()["checksWhileTyping"]:
            # Each is another program, so that something is explored.
            text = PROGRAM.replace("counter++", f"counter += {version}")
            version += 1
            self.assertLess(version, 100)
            client.change(path, version, [{"text": text}])
            client.save(path, text)
            client.wait_idle()
        self.assertGreaterEqual(version, 4)   # three checks at least, with the first
        client.change(path, version + 1, [{"text": RACY}])   # never saved
        client.wait_shown(path, lambda d: len(d) == 2)
        # What the user has chosen counts.
        client.notify("workspace/didChangeConfiguration", {"settings": {"heddle": {"run": "save"}}})
        client.wait_idle()
        generation = status()["generation"]
        client.change(path, version + 2, [{"text": PROGRAM}])
        client.wait_shown(path, lambda d: all(x["data"]["stale"] for x in d))
        time.sleep(1)
        self.assertEqual(status()["generation"], generation)

    def test_hover_and_statement(self):
        client, path = self.begin(RACY)
        at = {"textDocument": {"uri": uri_of(path)}, "position": {"line": 5, "character": 4}}
        text = client.ask("textDocument/hover", at)["contents"]["value"]
        self.assertIn("`worker`", text)
        self.assertIn("locks surely held: `m`", text)
        self.assertIn("line 13", text)
        self.assertRegex(text, r"\n(last check, (just now|\d+ seconds ago): error)$")
        statement = client.ask("heddle/statement", at)["statements"][0]
        self.assertEqual(statement["locks"], ["m"])
        self.assertEqual(statement["partners"][0]["range"]["start"]["line"], 12)
        self.assertEqual(statement["partners"][0]["locks"], [])
        nothing = dict(at, position={"line": 7, "character": 3})
        self.assertIsNone(client.ask("textDocument/hover", nothing))

    def test_the_lock_is_offered_after_it_was_tried(self):
        client, path = self.begin(RACY)
        client.wait_shown(path, lambda d: len(d) == 2)
        actions = actions_at(client, path, 12)
        fix = [a for a in actions if a["title"].startswith("Take 'm'")]
        self.assertEqual(len(fix), 1, actions)
        self.assertTrue(fix[0]["isPreferred"], fix)
        edit = fix[0]["edit"]["documentChanges"][0]
        self.assertEqual(edit["textDocument"]["version"], 1)
        lines = RACY.split("\n")
        lines[12:13] = edit["edits"][0]["newText"].split("\n")
        self.assertEqual("\n".join(lines), PROGRAM)
        # The trial left no trace: the finding is still open, and the repaired text is clear when it is saved.
        client.save(path, RACY)
        client.wait_idle()
        self.assertEqual(len(client.shown(path)), 2)
        client.change(path, 2, [{"text": PROGRAM}])
        client.save(path, PROGRAM)
        client.wait_shown(path, lambda d: d == [])

    def test_no_lock_where_none_guards(self):
        client, path = self.begin(RACY.replace("  pthread_mutex_lock(&m);\n", "").replace("  pthread_mutex_unlock(&m);\n", ""))
        shown = client.wait_shown(path, lambda d: d)
        actions = client.ask("textDocument/codeAction", {"textDocument": {"uri": uri_of(path)}, "range": shown[0]["range"], "context": {"diagnostics": []}})
        self.assertEqual([a for a in actions if a["title"].startswith("Take")], [])

    def test_a_pair_is_run_again(self):
        client, path = self.begin(PROGRAM)
        client.change(path, 2, [{"text": RACY}])
        client.save(path, RACY)
        client.wait_idle()
        project = uri_of(path)
        target = client.ask("heddle/scope", {"project": project})["targets"][0]["target"]
        before = list(client.status.values())[0]
        self.assertEqual(client.ask("heddle/runPair", {"project": project, "target": target, "pair": 0}), {"started": True})
        client.wait_idle()
        after = list(client.status.values())[0]
        self.assertGreater(after["generation"], before["generation"])
        self.assertEqual(after["verdict"]["kind"], "findings")
        self.assertEqual(len(client.shown(path)), 2)
        self.assertEqual(client.error("heddle/runPair", {"project": project, "target": target, "pair": 999})["code"], -32602)

    def test_all_pairs_of_a_check_are_run_again(self):
        client, path = self.begin("""#include <pthread.h>
#include <stdatomic.h>
static atomic_int slots[2];
static void *worker(void *argument) {
  for (int n = 0; n < 2; n++) atomic_fetch_add(&slots[n], atomic_load(&slots[1 - n]) + 1);
  return argument;
}
int main(void) {
  pthread_t threads[2];
  for (int n = 0; n < 2; n++) pthread_create(&threads[n], 0, worker, 0);
  for (int n = 0; n < 2; n++) pthread_join(threads[n], 0);
  return 0;
}
""")
        told = [m["params"] for m in client.messages if m.get("method") == "heddle/pairStatus"][-1]
        pairs = [p["index"] for p in told["pairs"] if p["chosen"]]
        self.assertGreater(len(pairs), 3)
        client.ask("heddle/runPair", {"project": uri_of(path), "target": told["target"], "pairs": pairs, "coverage": True})
        told = client.wait(lambda: [m["params"] for m in client.messages if m.get("method") == "heddle/coverage"])[0]
        self.assertEqual(told["pairs"], len(pairs))

    def test_what_a_pair_executes(self):
        never = RACY.replace("  counter++;\n  pthread_mutex_unlock(&m);\n  return p;", "  counter++;\n  if (p)\n    counter = 7;\n  pthread_mutex_unlock(&m);\n  return p;")
        client, path = self.begin(never.replace("return 0;", "return counter;"))
        project = uri_of(path)
        target = client.ask("heddle/scope", {"project": project})["targets"][0]["target"]
        before = list(client.status.values())[0]["verdict"]
        told = [m["params"] for m in client.messages if m.get("method") == "heddle/pairStatus"][-1]
        pairs = [p["index"] for p in told["pairs"] if p["chosen"]]
        self.assertTrue(pairs)
        client.ask("heddle/runPair", {"project": project, "target": target, "pairs": pairs, "coverage": True})
        told = client.wait(lambda: [m["params"] for m in client.messages if m.get("method") == "heddle/coverage"])[0]
        client.wait_idle()
        self.assertEqual((told["pairs"], told["complete"]), (len(pairs), True))
        executed = {(s["range"]["start"]["line"], s["kind"]): s["pairs"] for s in told["statements"]}
        # Each runs in every pair, also where one thread is alone; the branch that no thread takes in none.
        everywhere = len(pairs)
        self.assertEqual(executed, {(4, "lock"): everywhere, (5, "read"): everywhere, (7, "write"): 0, (8, "unlock"): everywhere,
                                    (13, "thread creation"): everywhere, (14, "read"): everywhere, (15, "join"): everywhere, (16, "read"): everywhere})
        after = list(client.status.values())[0]["verdict"]
        self.assertEqual(dict(after, generation=0), dict(before, generation=0))

    def test_suppression_from_the_editor_and_back(self):
        client, path = self.begin(RACY)
        shown = client.wait_shown(path, lambda d: len(d) == 2)
        identifier = shown[0]["data"]["id"]
        error = client.error("workspace/executeCommand", {"command": "heddle.suppress", "arguments": [{"id": identifier}]})
        self.assertIn("reason", error["message"])
        text = suppress(self, client, identifier, RACY, reason="statistics only", owner="ann", until="2999-01-01")
        self.assertIn("// heddle: ignore[data-race] statistics only owner=ann until=2999-01-01\n", text)
        client.change(path, 2, [{"text": text}])
        client.save(path, text)
        client.wait_shown(path, lambda d: d == [])
        client.wait_idle()
        status = list(client.status.values())[0]
        self.assertEqual(status["suppressed"], 1)
        self.assertEqual(status["verdict"]["kind"], "clear")
        client.change(path, 3, [{"text": RACY}])
        client.save(path, RACY)
        client.wait_shown(path, lambda d: len(d) == 2)

    def test_the_nights(self):
        client, path = self.begin(RACY)
        self.assertEqual(client.ask("heddle/nightly")["projects"][0]["runs"], [])
        subprocess.run([str(BINARIES / "heddle"), "nightly", str(path)], env=self.environment, cwd=self.project, capture_output=True, timeout=60)
        told = client.ask("heddle/nightly", {"project": uri_of(path)})["projects"][0]
        self.assertEqual(told["root"], uri_of(self.project))
        self.assertEqual([f["rule"] for f in told["runs"][0]["targets"][0]["agreed"]], ["data-race"])
        self.assertEqual(told["runs"][0]["targets"][0]["missed"], [])

    def settings_edit(self, client, before):
        edit = [r for r in client.requests if r["method"] == "workspace/applyEdit"][-1]["params"]["edit"]
        changes = edit["documentChanges"]
        if not before:
            self.assertEqual(changes[0], {"kind": "create", "uri": uri_of(self.project / ".heddle.yaml")})
        at = changes[-1]["edits"][0]
        lines = before.split("\n")
        begin, end = at["range"]["start"]["line"], at["range"]["end"]["line"]
        self.assertEqual((at["range"]["start"]["character"], at["range"]["end"]["character"]), (0, 0))
        text = "\n".join(lines[:begin] + [""] * (begin > 0)) + at["newText"] + "\n".join(lines[end:])
        self.write(".heddle.yaml", text)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(self.project / ".heddle.yaml"), "type": 2}]})
        return text

    def test_suppression_in_the_settings_and_back(self):
        client, path = self.begin(RACY)
        identifier = client.wait_shown(path, lambda d: len(d) == 2)[0]["data"]["id"]
        client.ask("workspace/executeCommand", {"command": "heddle.suppress", "arguments": [
            {"id": identifier, "reason": "statistics only", "owner": "ann", "scope": "project"}]})
        text = self.settings_edit(client, "")
        self.assertIn(identifier, text)
        client.wait_shown(path, lambda d: d == [])
        client.wait_idle()
        found = list(client.findings.values())[0]["findings"][0]
        self.assertEqual(found["suppressed"], {"reason": "statistics only", "owner": "ann"})
        client.ask("workspace/executeCommand", {"command": "heddle.unsuppress", "arguments": [{"id": identifier}]})
        self.assertNotIn(identifier, self.settings_edit(client, text))
        client.wait_shown(path, lambda d: len(d) == 2)
        # Or all of its kind on that object.
        client.ask("workspace/executeCommand", {"command": "heddle.suppress", "arguments": [
            {"id": identifier, "reason": "statistics only", "scope": "object"}]})
        self.assertIn('- object: "counter"', self.settings_edit(client, (self.project / ".heddle.yaml").read_text()))
        client.wait_shown(path, lambda d: d == [])
        error = client.error("workspace/executeCommand", {"command": "heddle.suppress", "arguments": [
            {"id": identifier, "reason": "words", "scope": "everything"}]})
        self.assertIn("finding, function, object or threads", error["message"])

    def test_a_useless_entry_of_the_settings_is_a_warning_there(self):
        self.write(".heddle.yaml", 'version: 1\nsuppressions:\n  - finding: "0123456789ab"\n    rule: data-race\n    reason: "long gone"\n')
        client, path = self.begin(PROGRAM)
        warnings = client.wait_shown(self.project / ".heddle.yaml", lambda d: d)
        self.assertEqual((warnings[0]["code"], warnings[0]["severity"], warnings[0]["range"]["start"]["line"]), ("suppression", 2, 2))
        self.assertEqual(client.shown(path), [])

    def test_what_the_program_was_given(self):
        self.write(".heddle.yaml", "environment:\n  DEBUG: {one-of: [~, \"1\"]}\n")
        text = ("#include <pthread.h>\n#include <stdlib.h>\nint total;\nvoid *add(void *p) { total++; return p; }\n"
                "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, add, 0);\n  if (getenv(\"DEBUG\")) total++;\n"
                "  pthread_join(t, 0);\n  return total > 5;\n}\n")
        client, path = self.begin(text)
        shown = client.wait_shown(path, lambda d: len(d) == 2)
        wanted = [{"kind": "variable", "name": "DEBUG", "value": "1"}]
        self.assertEqual(client.ask("heddle/trace", {"id": shown[0]["data"]["id"]})["inputs"], wanted)
        (findings,) = client.findings.values()
        self.assertEqual(findings["findings"][0]["inputs"], wanted)

    def test_a_header_and_two_files_of_a_project(self):
        self.write("shared.h", "#include <pthread.h>\nextern int counter;\nvoid *worker(void *);\n")
        main = self.write("main.c", '#include "shared.h"\nint counter;\nint main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, worker, 0);\n  counter++;\n  pthread_join(t, 0);\n  return 0;\n}\n')
        worker = self.write("worker.c", '#include "shared.h"\nvoid *worker(void *p) {\n  counter++;\n  return p;\n}\n')
        commands = [{"directory": str(self.project), "file": str(f), "arguments": ["cc", "-c", str(f)]} for f in (main, worker)]
        self.write("compile_commands.json", json.dumps(commands))
        client = self.client()
        client.open(main)
        self.assertEqual(client.wait_shown(main, lambda d: d)[0]["range"]["start"]["line"], 5)
        # The other place is in a file that nobody opened.
        self.assertEqual(client.wait_shown(worker, lambda d: d)[0]["range"]["start"]["line"], 2)
        self.assertNotIn("version", client.diagnostics[uri_of(worker)])
        client.wait_idle()
        self.assertEqual(list(client.status), [uri_of(self.project)])


if __name__ == "__main__":
    unittest.main()
