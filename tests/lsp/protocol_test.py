"""How a conversation begins and ends, and messages that are none, with a scripted engine."""
import json
import time
import unittest

from client import RACE, FULL, LanguageServerTest, uri_of


class Life(LanguageServerTest):
    def test_initialize_tells_what_it_can(self):
        result = self.client(False).initialize()
        self.assertEqual(result["serverInfo"]["name"], "heddle")
        self.assertTrue(result["serverInfo"]["version"])
        capabilities = result["capabilities"]
        self.assertEqual(capabilities["textDocumentSync"]["change"], 2)
        self.assertEqual(capabilities["positionEncoding"], "utf-16")
        self.assertIn("heddle/rule", capabilities["experimental"]["heddle"]["requests"])
        for clangds in ("completionProvider", "definitionProvider", "referencesProvider", "renameProvider",
                        "documentFormattingProvider", "semanticTokensProvider", "documentSymbolProvider"):
            self.assertNotIn(clangds, capabilities)

    def test_utf8_positions_when_the_client_offers_them(self):
        capabilities = dict(FULL, general={"positionEncodings": ["utf-8", "utf-16"]})
        self.assertEqual(self.client(False).initialize(capabilities)["capabilities"]["positionEncoding"], "utf-8")

    def test_requests_before_initialize_are_refused(self):
        client = self.client(False)
        self.assertEqual(client.error("heddle/scope")["code"], -32002)

    def test_rules_have_words(self):
        client = self.client()
        told = client.ask("heddle/rule", {"rule": "lost-signal"})
        self.assertEqual((told["rule"], told["title"]), ("lost-signal", "Lost signal"))
        self.assertIn("under the same lock", told["description"])
        for wrong in ({"rule": "compile-error"}, {"rule": 7}, {}, {"rule": ""}):
            self.assertEqual(client.error("heddle/rule", wrong)["code"], -32602, wrong)

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


if __name__ == "__main__":
    unittest.main()
