"""Conversations with a scripted engine: `// fake: at ID` in a line is a finding there, see tests/daemon/fake_engine_main.cc."""
import json
import os
import signal
import time
import unittest

from client import FULL, LanguageServerTest, uri_of, utf16

RACE = "int x;\n  x++; // fake: at aa0000000001\n"


def starts(diagnostics):
    return sorted((d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in diagnostics)


class Life(LanguageServerTest):
    def test_initialize_tells_what_it_can(self):
        result = self.client(False).initialize()
        self.assertEqual(result["serverInfo"]["name"], "heddle")
        self.assertTrue(result["serverInfo"]["version"])
        capabilities = result["capabilities"]
        self.assertEqual(capabilities["textDocumentSync"]["change"], 2)
        self.assertEqual(capabilities["positionEncoding"], "utf-16")
        for clangds in ("completionProvider", "definitionProvider", "referencesProvider", "renameProvider",
                        "documentFormattingProvider", "semanticTokensProvider", "documentSymbolProvider"):
            self.assertNotIn(clangds, capabilities)

    def test_utf8_positions_when_the_client_offers_them(self):
        capabilities = dict(FULL, general={"positionEncodings": ["utf-8", "utf-16"]})
        self.assertEqual(self.client(False).initialize(capabilities)["capabilities"]["positionEncoding"], "utf-8")

    def test_requests_before_initialize_are_refused(self):
        client = self.client(False)
        self.assertEqual(client.error("heddle/scope")["code"], -32002)

    def test_initialize_twice_is_refused(self):
        self.assertEqual(self.client().error("initialize", {"capabilities": {}})["code"], -32600)

    def test_notifications_before_initialize_are_dropped(self):
        client = self.client(False)
        client.open(self.write("a.c", RACE))
        client.initialize()
        client.ask("heddle/memoryUsage")
        self.assertEqual(client.diagnostics, {})

    def test_shutdown_and_exit_give_zero(self):
        client = self.client()
        self.assertIsNone(client.ask("shutdown"))
        client.notify("exit")
        self.assertEqual(client.process.wait(20), 0)

    def test_exit_without_shutdown_gives_one(self):
        client = self.client()
        client.notify("exit")
        self.assertEqual(client.process.wait(20), 1)

    def test_end_of_input_gives_one(self):
        client = self.client()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(20), 1)

    def test_requests_after_shutdown_are_refused(self):
        client = self.client()
        client.ask("shutdown")
        self.assertEqual(client.error("heddle/scope")["code"], -32600)

    def test_shutdown_during_a_check(self):
        client = self.client()
        client.open(self.write("a.c", "// fake: sleep 20000\n"))
        client.wait(lambda: any(s["running"] for s in client.status.values()))
        begin = time.monotonic()
        client.ask("shutdown")
        client.notify("exit")
        self.assertEqual(client.process.wait(20), 0)
        self.assertLess(time.monotonic() - begin, 10)


class Malformed(LanguageServerTest):
    def alive(self, client):
        self.assertIn("serverBytes", client.ask("heddle/memoryUsage"))

    def test_body_that_is_no_json(self):
        client = self.client()
        client.bytes(b"Content-Length: 10\r\n\r\n{\"a\": nope")
        client.bytes(b"")
        self.assertEqual(client.answer(None)["error"]["code"], -32700)
        self.alive(client)

    def test_header_without_a_length(self):
        client = self.client()
        client.bytes(b"Content-Type: text/plain\r\n\r\n")
        self.assertEqual(client.answer(None)["error"]["code"], -32700)
        self.alive(client)

    def test_length_that_is_no_number(self):
        client = self.client()
        client.bytes(b"Content-Length: many\r\n\r\n{}")
        self.assertEqual(client.answer(None)["error"]["code"], -32700)
        self.alive(client)

    def test_length_beyond_all_bounds(self):
        client = self.client()
        client.bytes(b"Content-Length: 99999999999999999999\r\n\r\n")
        self.assertEqual(client.answer(None)["error"]["code"], -32700)
        self.alive(client)

    def test_rubbish_between_messages(self):
        client = self.client()
        client.bytes(b"\x00\xff rubbish \r\n\r\n")
        self.assertEqual(client.answer(None)["error"]["code"], -32700)
        self.alive(client)

    def test_message_in_single_bytes(self):
        client = self.client()
        body = json.dumps({"jsonrpc": "2.0", "id": "slow", "method": "heddle/memoryUsage"}).encode()
        for byte in b"Content-Length: %d\r\n\r\n" % len(body) + body:
            client.bytes(bytes([byte]))
        self.assertIn("result", client.answer("slow"))

    def test_two_messages_in_one_write(self):
        client = self.client()
        frames = b""
        for identifier in ("one", "two"):
            body = json.dumps({"jsonrpc": "2.0", "id": identifier, "method": "heddle/memoryUsage"}).encode()
            frames += b"Content-Length: %d\r\n\r\n" % len(body) + body
        client.bytes(frames)
        self.assertIn("result", client.answer("one"))
        self.assertIn("result", client.answer("two"))

    def test_header_names_in_small_letters(self):
        client = self.client()
        body = json.dumps({"jsonrpc": "2.0", "id": 77, "method": "heddle/memoryUsage"}).encode()
        client.bytes(b"content-type: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        self.assertIn("result", client.answer(77))

    def test_array_is_no_message(self):
        client = self.client()
        client.bytes(b"Content-Length: 2\r\n\r\n[]")
        self.assertEqual(client.answer(None)["error"]["code"], -32600)
        self.alive(client)

    def test_method_that_is_no_text(self):
        client = self.client()
        client.raw({"id": 5, "method": 7})
        self.assertEqual(client.answer(5)["error"]["code"], -32600)

    def test_unknown_request(self):
        self.assertEqual(self.client().error("textDocument/definition")["code"], -32601)

    def test_unknown_notification_is_ignored(self):
        client = self.client()
        client.notify("$/whatever")
        client.notify("textDocument/willSave")
        self.alive(client)

    def test_answer_to_a_request_that_nobody_made(self):
        client = self.client()
        client.raw({"id": 4711, "result": {}})
        self.alive(client)

    def test_wrong_parameters(self):
        client = self.client()
        for method, params in (("heddle/trace", {}), ("heddle/trace", {"id": 7}), ("heddle/trace", {"id": "none"}),
                               ("textDocument/codeLens", {}), ("textDocument/codeAction", {"textDocument": 3}),
                               ("workspace/executeCommand", {"command": "heddle.nothing"}),
                               ("workspace/executeCommand", {}), ("heddle/why", {"textDocument": {"uri": "http://x/y"}})):
            self.assertEqual(client.error(method, params)["code"], -32602, (method, params))

    def test_bad_changes_are_logged_and_dropped(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.change(path, 2, [{"range": {"start": 1}, "text": "x"}])
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri_of(path)}})
        client.notify("textDocument/didChange", {"contentChanges": "no"})
        client.change(self.project / "never_opened.c", 1, [{"text": ""}])
        client.close(self.project / "never_opened.c")
        client.wait(lambda: sum(m.get("method") == "window/logMessage" for m in client.messages) >= 5)
        self.assertEqual(len(client.shown(path)), 1)

    def test_lone_surrogates_do_not_end_it(self):
        client = self.client()
        path = self.project / "a.c"
        client.bytes(b"")
        body = b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"%s","version":1,"languageId":"c","text":"\\ud83d x"}}}' % uri_of(path).encode()
        client.bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.alive(client)


class Diagnostics(LanguageServerTest):
    def test_opened_file_is_checked(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        shown = client.wait_shown(path, lambda d: len(d) == 1)
        self.assertEqual(shown[0]["range"], {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}})
        self.assertEqual(shown[0]["source"], "heddle")
        self.assertEqual(shown[0]["code"], "data-race")
        self.assertEqual(shown[0]["severity"], 1)
        self.assertEqual(shown[0]["data"]["id"], "aa0000000001")
        self.assertEqual(client.diagnostics[uri_of(path)]["version"], 1)

    def test_versions_follow_the_document(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path, version=7)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.change(path, 9, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n"}])
        client.wait(lambda: client.diagnostics[uri_of(path)].get("version") == 9)
        self.assertEqual(starts(client.shown(path)), [(2, 2)])

    def test_stale_after_an_edit_until_the_check_is_complete(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.change(path, 2, [{"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 5}}, "text": "y"}])
        shown = client.wait_shown(path, lambda d: d and d[0]["data"]["stale"])
        self.assertIn(1, shown[0]["tags"])
        self.assertTrue(shown[0]["message"].startswith("(stale"))
        self.assertEqual(shown[0]["severity"], 1)
        client.save(path, RACE.replace("int x", "int y"))
        shown = client.wait_shown(path, lambda d: d and not d[0]["data"]["stale"])
        self.assertNotIn("tags", shown[0])

    def test_undo_makes_it_fresh_again(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        at = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 5}}
        client.change(path, 2, [{"range": at, "text": "y"}])
        client.wait_shown(path, lambda d: d and d[0]["data"]["stale"])
        client.change(path, 3, [{"range": at, "text": "x"}])
        client.wait_shown(path, lambda d: d and not d[0]["data"]["stale"])

    def test_a_fixed_finding_goes_only_when_the_check_is_complete(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        fixed = "// fake: sleep 400\nint x;\n"
        client.change(path, 2, [{"text": fixed}])
        client.save(path, fixed)
        client.wait_shown(path, lambda d: len(d) == 1 and d[0]["data"]["stale"])
        client.wait_shown(path, lambda d: d == [])
        client.wait_idle()
        self.assertEqual(client.shown(path), [])

    def test_a_cancelled_check_removes_nothing(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_idle()
        slow = "// fake: sleep 30000\nint x;\n"
        client.change(path, 2, [{"text": slow}])
        client.save(path, slow)
        client.wait(lambda: any(s["running"] for s in client.status.values()))
        self.assertEqual(client.ask("heddle/cancelPair", {"project": uri_of(path)}), {"cancelled": True})
        client.wait_idle()
        self.assertEqual(len(client.shown(path)), 1)
        self.assertFalse(list(client.status.values())[0]["complete"])

    def test_an_inconclusive_check_says_so(self):
        client = self.client()
        path = self.write("a.c", "// fake: inconclusive\n")
        client.open(path)
        client.wait_idle()
        status = list(client.status.values())[0]
        self.assertEqual(status["verdict"]["kind"], "inconclusive")
        self.assertFalse(status["complete"])

    def test_a_build_error_is_status_and_a_hint_that_nothing_was_checked(self):
        client = self.client()
        path = self.write("a.c", "// fake: error expected ';'\n")
        client.open(path)
        client.wait_idle()
        status = list(client.status.values())[0]
        self.assertEqual(status["verdict"]["error"], "build")
        self.assertEqual([(d["code"], d["severity"]) for d in client.shown(path)], [("compile-error", 3)])

    def test_a_build_error_keeps_findings(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_idle()
        client.change(path, 2, [{"text": RACE + "// fake: error broken\n"}])
        client.save(path, RACE + "// fake: error broken\n")
        client.wait_idle()
        self.assertEqual(sorted(d["code"] for d in client.shown(path)), ["compile-error", "data-race"])

    def test_closed_files_keep_their_diagnostics(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.close(path)
        client.wait(lambda: "version" not in client.diagnostics[uri_of(path)])
        self.assertEqual(starts(client.shown(path)), [(1, 2)])

    def test_closing_without_saving_brings_back_the_disk(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.change(path, 2, [{"text": "\n\n\n" + RACE}])
        client.wait_shown(path, lambda d: starts(d) == [(4, 2)])
        client.close(path)
        client.wait_idle()
        client.wait_shown(path, lambda d: starts(d) == [(1, 2)])

    def test_a_file_that_is_opened_with_other_text_than_the_disk(self):
        client = self.client()
        path = self.write("a.c", "int x;\n")
        client.open(path, "\n" + RACE)
        self.assertEqual(starts(client.wait_shown(path, lambda d: len(d) == 1)), [(2, 2)])

    def test_reopening_finds_the_diagnostics_in_place(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.close(path)
        client.open(path, version=5)
        client.wait(lambda: client.diagnostics[uri_of(path)].get("version") == 5)
        self.assertEqual(starts(client.shown(path)), [(1, 2)])

    def test_several_findings(self):
        client = self.client()
        path = self.write("a.c", "a(); // fake: at aa0000000001\nb(); // fake: at aa0000000002\n")
        client.open(path)
        self.assertEqual(starts(client.wait_shown(path, lambda d: len(d) == 2)), [(0, 0), (1, 0)])

    def test_two_files_are_two_projects(self):
        client = self.client()
        first, second = self.write("a.c", RACE), self.write("b.c", RACE.replace("aa", "bb"))
        client.open(first)
        client.open(second)
        client.wait_shown(first, lambda d: len(d) == 1)
        client.wait_shown(second, lambda d: len(d) == 1)
        client.wait_idle()
        self.assertEqual(len(client.status), 2)

    def test_related_information_names_the_other_places(self):
        client = self.client()
        path = self.write("a.c", "// fake: finding data-race\n\n    counter++;\n    counter++;\n")
        client.open(path)
        shown = client.wait_shown(path, lambda d: len(d) == 2)
        for diagnostic in shown:
            self.assertGreaterEqual(len(diagnostic["relatedInformation"]), 1)
            self.assertLessEqual(len(diagnostic["relatedInformation"]), 6)
        other = shown[0]["relatedInformation"][0]["location"]["range"]["start"]["line"]
        self.assertNotEqual(other, shown[0]["range"]["start"]["line"])

    def test_client_without_capabilities_gets_the_plain_form(self):
        client = self.client(capabilities={})
        path = self.write("a.c", RACE)
        client.open(path)
        shown = client.wait_shown(path, lambda d: len(d) == 1)
        for key in ("relatedInformation", "data", "tags"):
            self.assertNotIn(key, shown[0])
        self.assertNotIn("version", client.diagnostics[uri_of(path)])
        self.assertFalse(any(m.get("method", "").startswith("heddle/") for m in client.messages))

    def test_nothing_happens_for_other_languages(self):
        client = self.client()
        path = self.write("a.py", "# fake: finding data-race\n")
        client.open(path)
        client.ask("heddle/memoryUsage")
        time.sleep(0.3)
        self.assertEqual(client.status, {})

    def test_not_a_file(self):
        client = self.client()
        client.notify("textDocument/didOpen", {"textDocument": {"uri": "untitled:one", "languageId": "c", "version": 1, "text": RACE}})
        self.assertIn("serverBytes", client.ask("heddle/memoryUsage"))

    def test_uri_with_escapes(self):
        client = self.client()
        path = self.write("with space é#.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)


class Positions(LanguageServerTest):
    def shown_at(self, line_text, capabilities=FULL):
        client = self.client(capabilities=capabilities)
        path = self.write("a.c", line_text + " // fake: at aa0000000001\n")
        client.open(path)
        return client.wait_shown(path, lambda d: len(d) == 1)[0]["range"]

    def test_tabs_are_one_unit(self):
        self.assertEqual(self.shown_at("\t\tx++;"), {"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 5}})

    def test_emoji_are_two_units(self):
        line = "/*\U0001F600\U0001F680*/ x++;"
        text = self.shown_at(line)
        self.assertEqual(text["end"]["character"], utf16(line) - 1)

    def test_emoji_in_utf8(self):
        line = "/*\U0001F600é*/ x++;"
        capabilities = dict(FULL, general={"positionEncodings": ["utf-8"]})
        self.assertEqual(self.shown_at(line, capabilities)["end"]["character"], len(line.encode()) - 1)

    def test_letters_beyond_ascii_are_one_unit(self):
        line = "/*äöü漢字*/ x++;"
        self.assertEqual(self.shown_at(line)["end"]["character"], utf16(line) - 1)

    def test_edits_behind_emoji(self):
        client = self.client()
        path = self.write("a.c", "/*\U0001F600*/ x++; // fake: at aa0000000001\n")
        client.open(path)
        before = client.wait_shown(path, lambda d: len(d) == 1)[0]["range"]["end"]["character"]
        client.change(path, 2, [{"range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 4}}, "text": "\U0001F680"}])
        client.wait(lambda: client.diagnostics[uri_of(path)]["version"] == 2)
        self.assertEqual(client.shown(path)[0]["range"]["end"]["character"], before + 2)

    def test_edit_inside_a_surrogate_pair_is_before_it(self):
        client = self.client()
        path = self.write("a.c", "/*\U0001F600*/ x++; // fake: at aa0000000001\n")
        client.open(path)
        before = client.wait_shown(path, lambda d: len(d) == 1)[0]["range"]["end"]["character"]
        client.change(path, 2, [{"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 3}}, "text": "ab"}])
        client.wait(lambda: client.diagnostics[uri_of(path)]["version"] == 2)
        self.assertEqual(client.shown(path)[0]["range"]["end"]["character"], before + 2)

    def test_windows_line_ends(self):
        client = self.client()
        path = self.project / "a.c"
        path.write_bytes(b"int x;\r\n\r\n  x++; // fake: at aa0000000001\r\n")
        client.open(path, "int x;\r\n\r\n  x++; // fake: at aa0000000001\r\n")
        self.assertEqual(starts(client.wait_shown(path, lambda d: len(d) == 1)), [(2, 2)])

    def test_positions_beyond_the_end_are_clamped(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        far = {"line": 4000000, "character": 4000000}
        client.change(path, 2, [{"range": {"start": far, "end": far}, "text": "// end\n"},
                                {"range": {"start": {"line": 0, "character": 999}, "end": {"line": 0, "character": 999}}, "text": " "}])
        client.wait(lambda: client.diagnostics[uri_of(path)]["version"] == 2)
        self.assertEqual(starts(client.shown(path)), [(1, 2)])

    def test_lines_inserted_and_removed_above(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        client.change(path, 2, [{"range": top, "text": "\n\n\n"}])
        client.wait_shown(path, lambda d: starts(d) == [(4, 2)])
        client.change(path, 3, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}, "text": ""}])
        client.wait_shown(path, lambda d: starts(d) == [(2, 2)])

    def test_whole_text_changes_move_places_too(self):
        client = self.client()
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_shown(path, lambda d: len(d) == 1)
        client.change(path, 2, [{"text": "// above\n" + RACE + "// below\n"}])
        client.wait_shown(path, lambda d: starts(d) == [(2, 2)])


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
