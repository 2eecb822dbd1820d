"""Edits, files on the disk, other clients and requests while checks run, with a scripted engine."""
import json
import os
import signal
import time
import unittest

from client import RACE, FULL, LanguageServerTest, uri_of, starts


class Races(LanguageServerTest):
    def test_edit_while_the_check_runs(self):
        client = self.client()
        path = self.write("a.c", "// fake: sleep 500\n" + RACE)
        client.open(path)
        client.wait(lambda: any(s["running"] for s in client.status.values()))
        client.change(path, 2, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n\n"}])
        shown = client.wait_shown(path, lambda d: len(d) == 1)
        self.assertEqual(starts(shown), [(4, 2)])   # not where the check saw it

    def test_statement_deleted_while_the_check_runs(self):
        client = self.client()
        path = self.write("a.c", "// fake: sleep 500\n" + RACE)
        client.open(path)
        client.wait(lambda: any(s["running"] for s in client.status.values()))
        client.change(path, 2, [{"range": {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}, "text": ""}])
        shown = client.wait_shown(path, lambda d: len(d) == 1)
        self.assertTrue(shown[0]["data"]["stale"])
        client.save(path, "// fake: sleep 1\nint x;\n")
        client.wait_shown(path, lambda d: d == [])

    def test_saves_in_a_row_end_with_the_last_text(self):
        client = self.client()
        path = self.write("a.c", "int x;\n")
        client.open(path)
        for n in range(12):
            text = "// fake: sleep 60\n" + "\n" * n + f"x++; // fake: at aa00000000{n:02d}\n"
            client.change(path, n + 2, [{"text": text}])
            client.save(path, text)
        shown = client.wait_shown(path, lambda d: len(d) == 1 and d[0]["data"]["id"] == "aa0000000011" and not d[0]["data"]["stale"])
        self.assertEqual(starts(shown), [(12, 0)])

    def test_open_and_close_at_once(self):
        client = self.client()
        path = self.write("a.c", RACE)
        for _ in range(20):
            client.open(path)
            client.close(path)
        client.wait_idle()
        self.assertEqual(len(client.wait_shown(path, lambda d: len(d) == 1)), 1)

    def test_another_client_takes_over_and_the_check_is_made_again(self):
        client, other = self.client(), self.client()
        path = self.write("a.c", "// fake: sleep 700\n" + RACE)
        client.open(path)
        client.wait(lambda: any(s["running"] for s in client.status.values()))
        other.open(path, "\n// fake: sleep 100\n" + RACE)
        self.assertEqual(starts(other.wait_shown(path, lambda d: len(d) == 1)), [(3, 2)])
        self.assertEqual(starts(client.wait_shown(path, lambda d: len(d) == 1)), [(2, 2)])

    def test_the_daemon_is_killed(self):
        client = self.client()
        path = self.write("a.c", "// fake: sleep 1500\n" + RACE)
        client.open(path)
        client.wait(lambda: any(s["running"] and s["generation"] for s in client.status.values()))
        os.kill(self.daemon_pid(), signal.SIGKILL)
        self.assertEqual(len(client.wait_shown(path, lambda d: len(d) == 1)), 1)

    def test_no_daemon_to_be_had(self):
        self.environment["HEDDLE_DAEMON"] = "/nonexistent/heddled"
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        status = client.wait(lambda: [s for s in client.status.values() if not s["responsive"]])[0]
        self.assertIn("daemon", status["message"])

    def test_settings_manual_never_and_hide(self):
        client = self.client(options={"run": "manual"})
        path = self.write("a.c", RACE)
        client.open(path)
        client.save(path)
        client.ask("heddle/memoryUsage")
        time.sleep(0.3)
        self.assertEqual(client.shown(path), [])
        self.assertEqual(client.ask("heddle/check", {"textDocument": {"uri": uri_of(path)}}), {"started": True})
        client.wait_shown(path, lambda d: len(d) == 1)
        client.notify("workspace/didChangeConfiguration", {"settings": {"heddle": {"staleDisplay": "hide"}}})
        client.change(path, 2, [{"text": "int y;\n" + RACE}])
        client.wait_shown(path, lambda d: d == [])

    def test_wrong_setting_is_told(self):
        client = self.client(options={"run": "sometimes"})
        client.wait(lambda: any("sometimes" in json.dumps(m) for m in client.messages if m.get("method") == "window/logMessage"))

    def test_configuration_is_asked_for(self):
        capabilities = dict(FULL, workspace={"configuration": True})
        client = self.client(False)
        client.settings = {"run": "manual"}
        client.initialize(capabilities)
        client.wait(lambda: any(r["method"] == "workspace/configuration" for r in client.requests))

    def test_watched_files_are_registered_and_checked(self):
        capabilities = dict(FULL, workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
        client = self.client(capabilities=capabilities)
        client.wait(lambda: any(r["method"] == "client/registerCapability" for r in client.requests))
        path = self.write("a.c", RACE)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(path), "type": 1}]})
        self.assertEqual(starts(client.wait_shown(path, lambda d: len(d) == 1)), [(1, 2)])
        path.write_text("int x;\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(path), "type": 2}]})
        client.wait_shown(path, lambda d: d == [])

    def reloading(self):
        client = self.client(capabilities=dict(FULL, workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}}))
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.wait_idle()
        return client, path

    def test_a_file_that_changed_on_disk_while_open_is_checked(self):
        client, path = self.reloading()
        path.write_text("int x;\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(path), "type": 2}]})
        client.change(path, 2, [{"text": "int x;\n"}])
        client.wait_shown(path, lambda d: d == [])

    def test_it_is_checked_if_the_client_reads_it_before_it_says_that_it_changed(self):
        client, path = self.reloading()
        path.write_text("int x;\n")
        client.change(path, 2, [{"text": "int x;\n"}])
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(path), "type": 2}]})
        client.wait_shown(path, lambda d: d == [])

    def test_it_is_checked_if_the_client_reads_it_in_pieces(self):
        client, path = self.reloading()
        path.write_text("int x;\nint y;\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(path), "type": 2}]})
        client.change(path, 2, [{"text": "int x;\n"}])
        client.change(path, 3, [{"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}},
                                 "text": "int y;\n"}])
        client.wait_shown(path, lambda d: d == [])

    def test_two_open_files_that_changed_on_disk(self):
        client, path = self.reloading()
        other = self.write("b.c", "int b;\n")
        client.open(other)
        client.wait_idle()
        path.write_text("int x;\n")
        other.write_text(RACE)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(p), "type": 2} for p in (path, other)]})
        client.change(path, 2, [{"text": "int x;\n"}])
        client.change(other, 2, [{"text": RACE}])
        client.wait_shown(path, lambda d: d == [])
        client.wait_shown(other, lambda d: len(d) == 1)

    def test_unsaved_edits_are_what_is_checked_whatever_the_disk_says(self):
        client, path = self.reloading()
        client.change(path, 2, [{"text": RACE + "int mine;\n"}])
        path.write_text("int x;\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(path), "type": 2}]})
        client.wait_idle()
        self.assertEqual(len(client.shown(path)), 1)


class Richer(LanguageServerTest):
    def test_lens_and_action_show_the_interleaving(self):
        client = self.client()
        path = self.write("a.c", "// fake: finding data-race\n\n    counter++;\n    counter++;\n")
        client.open(path)
        client.wait_idle()
        lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}})
        self.assertEqual(len(lenses), 1)
        self.assertIn("show interleaving", lenses[0]["command"]["title"])
        self.assertEqual(lenses[0]["command"]["command"], "heddle.showInterleaving")
        here = {"start": {"line": 2, "character": 5}, "end": {"line": 2, "character": 5}}
        actions = client.ask("textDocument/codeAction", {"textDocument": {"uri": uri_of(path)}, "range": here,
                                                         "context": {"diagnostics": []}})
        commands = [a["command"]["command"] for a in actions if "command" in a]
        self.assertIn("heddle.showInterleaving", commands)
        self.assertIn("heddle.replay", commands)

    def test_no_action_elsewhere(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_idle()
        here = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
        self.assertEqual(client.ask("textDocument/codeAction", {"textDocument": {"uri": uri_of(path)}, "range": here,
                                                                "context": {"diagnostics": []}}), [])

    def test_trace_moves_with_the_text(self):
        client = self.client()
        path = self.write("a.c", "// fake: finding data-race\n\n    counter++;\n    counter++;\n")
        client.open(path)
        client.wait_idle()
        trace = client.ask("heddle/trace", {"id": "0123"})
        self.assertEqual([t["number"] for t in trace["threads"]], [1, 2])
        self.assertEqual([s["range"]["start"]["line"] for s in trace["steps"]], [2, 3])
        self.assertEqual(trace["steps"][0]["text"], "counter++;")
        self.assertTrue(trace["steps"][1]["switched"])
        self.assertTrue(client.ask("heddle/reorder", {"id": "0123", "step": 0, "before": 1})["possible"])
        swapped = client.ask("heddle/reorder", {"id": "0123", "step": 1, "before": 0})
        self.assertEqual((swapped["possible"], sorted(swapped["order"])), (True, [0, 1]), swapped)
        self.assertEqual(swapped["order"], [1, 0])
        for wrong in ({"step": 2, "before": 0}, {"step": -1, "before": 0}, {"step": 0}, {"step": "1", "before": 0}, {"step": 2 ** 40, "before": 0}):
            self.assertEqual(client.error("heddle/reorder", {"id": "0123", **wrong})["code"], -32602, wrong)
        client.change(path, 2, [{"text": "\n// fake: finding data-race\n\n    counter++;\n    counter++;\n"}])
        moved = client.ask("heddle/trace", {"id": "0123456789ab"})
        self.assertEqual([s["range"]["start"]["line"] for s in moved["steps"]], [3, 4])
        self.assertEqual(moved["steps"][0]["line"], 3)

    def test_progress_begins_and_ends_with_one_token(self):
        client = self.client()
        path = self.write("a.c", "// fake: sleep 900\n")
        client.open(path)
        client.wait_idle()
        values = [m["params"] for m in client.messages if m.get("method") == "$/progress"]
        self.assertEqual(values[0]["value"]["kind"], "begin")
        self.assertEqual(values[-1]["value"]["kind"], "end")
        self.assertEqual(len({v["token"] for v in values}), 1)
        words = {v["value"]["message"].split()[0] for v in values if v["value"]["kind"] == "report"}
        self.assertFalse(words & {"queued", "compile", "step1", "step2", "weak", "full"}, words)

    def test_quick_checks_show_no_progress(self):
        client = self.client()
        client.open(self.write("a.c", "int x;\n"))
        client.wait_idle()
        warm = len(client.messages)
        client.open(self.write("b.c", "int x;\n"))
        client.wait_idle()
        slow = [s for s in client.messages[warm:] if s.get("method") == "$/progress"]
        self.assertLessEqual(len(slow), 3)

    def test_progress_can_be_cancelled(self):
        client = self.client()
        path = self.write("a.c", "// fake: sleep 30000\n")
        client.open(path)
        token = client.wait(lambda: [m["params"]["token"] for m in client.messages if m.get("method") == "$/progress"])[0]
        client.notify("window/workDoneProgress/cancel", {"token": token})
        client.wait_idle(10)

    def test_requests_can_be_cancelled(self):
        client = self.client()
        path = self.write("a.c", "// fake: finding data-race\n// fake: deaf 1500\n\n   counter++;\n")
        client.open(path)
        client.wait(lambda: client.shown(path))
        identifier = client.send("workspace/executeCommand", {"command": "heddle.replay", "arguments": [{"id": "0123456789ab"}]})
        client.notify("$/cancelRequest", {"id": identifier})
        self.assertEqual(client.answer(identifier)["error"]["code"], -32800)

    def test_scope_and_why(self):
        client = self.client()
        path = self.write("a.c", "// fake: finding data-race\n\n    counter++;\n    counter++;\n")
        client.open(path)
        client.wait_idle()
        scope = client.ask("heddle/scope", {"textDocument": {"uri": uri_of(path)}})
        self.assertEqual(scope["verdict"]["kind"], "findings")
        self.assertEqual(scope["targets"][0]["target"], "main")
        why = client.ask("heddle/why", {"textDocument": {"uri": uri_of(path)}, "position": {"line": 2, "character": 0}})
        self.assertEqual([p["chosen"] for p in why["targets"][0]["pairs"]], [True, False])
        self.assertIn("logger touches no object", why["text"])

    def test_replay_says_the_outcome(self):
        client = self.client()
        path = self.write("a.c", "// fake: finding data-race\n\n    counter++;\n    counter++;\n")
        client.open(path)
        client.wait_idle()
        client.ask("workspace/executeCommand", {"command": "heddle.replay", "arguments": [{"id": "0123456789ab"}]})
        client.wait(lambda: any(m.get("method") == "window/showMessage" for m in client.messages))

    def test_interleaving_as_a_document_for_plain_clients(self):
        capabilities = dict(FULL, experimental={"heddle": {"notifications": True}})
        client = self.client(capabilities=capabilities)
        path = self.write("a.c", "// fake: finding data-race\n\n    counter++;\n    counter++;\n")
        client.open(path)
        client.wait_idle()
        client.ask("workspace/executeCommand", {"command": "heddle.showInterleaving", "arguments": [{"id": "0123456789ab"}]})
        request = client.wait(lambda: [r for r in client.requests if r["method"] == "window/showDocument"])[0]
        text = open(request["params"]["uri"][7:]).read()
        self.assertIn("write counter = 1 (was 0)", text)

    def test_restart_of_the_daemon(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_idle()
        before = self.daemon_pid()
        client.ask("workspace/executeCommand", {"command": "heddle.restartDaemon"})
        client.wait_idle()
        self.assertNotEqual(self.daemon_pid(), before)


if __name__ == "__main__":
    unittest.main()
