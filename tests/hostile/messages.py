"""What may arrive at a language server instead of messages: bytes, and messages that make no sense.

FRAMING: bytes after which the server need not understand anything more. MESSAGES: after each of them, it does.
{uri} is an open document, {folder} its folder.
"""
import json

OPEN, CHANGE, SAVE, CLOSE = (f"textDocument/did{what}" for what in ("Open", "Change", "Save", "Close"))


def frame(body):
    body = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


FRAMING = {
    "nothing": b"", "negative_length": b"Content-Length: -1\r\n\r\n{}", "length_of_letters": b"Content-Length: ten\r\n\r\n{}",
    "huge_length": b"Content-Length: 99999999999999999999999\r\n\r\n{}", "length_4gb": b"Content-Length: 4294967296\r\n\r\n{}",
    "length_200mb": b"Content-Length: 200000000\r\n\r\n{}", "no_length": b"Content-Type: text\r\n\r\n{}",
    "cut_header": b"Content-Len", "cut_length": b"Content-Length: 10", "cut_body": b"Content-Length: 100\r\n\r\n{\"json",
    "length_too_short": b"Content-Length: 2\r\n\r\n{\"jsonrpc\":\"2.0\"}", "length_twice": b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
    "zero_length": b"Content-Length: 0\r\n\r\n", "no_header_end": b"Content-Length: 2\r\nX: y\r\n" * 4000,
    "binary": bytes(range(256)) * 64, "nul": b"\0" * 100000, "line_feeds": b"\n" * 100000, "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "long_header": b"X: " + b"y" * (1 << 20) + b"\r\n\r\n", "spaces": b"Content-Length:" + b" " * 5000 + b"2\r\n\r\n{}"}


def message(method, params=None, **more):
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more)


def document(uri, **more):
    return {"textDocument": {"uri": uri, "languageId": "c", "version": 1, "text": "int x;\n"} | more}


def change(*changes):
    return message(CHANGE, {"textDocument": {"uri": "{uri}", "version": 2}, "contentChanges": list(changes)})


def span(*numbers):
    return {"start": {"line": numbers[0], "character": numbers[1]}, "end": {"line": numbers[2], "character": numbers[3]}}


ODD_URIS = ["", "file://%FF", "file:///%FF.c", "{folder}/%ff.c", "http://example.org/a.c", "untitled:Untitled-1", "a.c",
            "file://a.c", "file:///../../../etc/passwd", "{folder}/%00.c", "{folder}/a%00.c", "{folder}/a\0.c", "{folder}/%",
            "{folder}/%4", "{folder}/%zz.c", "file://host/share/a.c", "file:///dev/zero", "{folder}/pipe.c", "{folder}/zero.c",
            "{folder}/folder.c", "file:///" + "a/" * 3000 + "a.c", "file:///" + "a" * 5000 + ".c", "{folder}/a%0Ab.c", "file:",
            "file:///", "FILE:///a.c", "{folder}/\ud800.c", "{folder}/link", "{folder}/../../outside/secret.c"]
BODIES = {
    "no_json": "this is no JSON", "cut_json": '{"jsonrpc": "2.0", "method": ', "empty_object": "{}", "list": "[]",
    "batch": "[" + message("x") + "," + message("y") + "]", "null": "null", "number": "17", "text": '"x"',
    "deep_lists": "[" * 200000, "deep_closed": "[" * 200000 + "]" * 200000, "deep_objects": '{"a":' * 200000 + "1" + "}" * 200000,
    "deep_params": '{"jsonrpc":"2.0","method":"x","params":' + "[" * 100000 + "]" * 100000 + "}",
    "deep_id": '{"jsonrpc":"2.0","method":"x","id":' + "[" * 100000 + "]" * 100000 + "}",
    "bad_utf8": b'{"jsonrpc":"2.0","method":"\xff\xfe\xc3"}', "surrogate": '{"jsonrpc":"2.0","method":"\\ud800","id":1}',
    "bom": "\ufeff" + message("x"), "nul_in_method": message("\0\0", id=3), "huge_number": '{"id": 1e400, "method": "x"}',
    "huge_id": '{"id": 99999999999999999999999999, "method": "x"}', "float_id": message("x", id=1.5),
    "method_number": '{"jsonrpc":"2.0","method":7,"id":1}', "unknown_method": message("no/such", id=4),
    "unknown_notification": message("no/such"), "response_to_nothing": '{"jsonrpc":"2.0","id":12345,"result":{}}',
    "response_negative": '{"jsonrpc":"2.0","id":-1,"result":[]}', "initialize_again": message("initialize", {}, id=5),
    "params_list": message(OPEN, [1, 2]), "params_text": message(OPEN, "x"), "params_null": message(OPEN),
    "text_is_number": message(OPEN, document("{folder}/b.c", text=7)), "uri_is_number": message(OPEN, document(7)),
    "version_huge": message(OPEN, document("{folder}/b.c", version=10 ** 30)), "open_twice": message(OPEN, document("{uri}")),
    "change_unknown": message(CHANGE, {"textDocument": {"uri": "{folder}/none.c"}, "contentChanges": []}),
    "close_unknown": message(CLOSE, {"textDocument": {"uri": "{folder}/none.c"}}),
    "save_unknown": message(SAVE, {"textDocument": {"uri": "{folder}/none.c"}}),
    "changes_null": message(CHANGE, {"textDocument": {"uri": "{uri}"}, "contentChanges": None}),
    "change_without_text": change({"range": span(0, 0, 0, 0)}),
    "position_beyond": change({"range": span(10 ** 6, 10 ** 6, 10 ** 6, 10 ** 6), "text": "x"}),
    "position_huge": change({"range": span(2 ** 32, 2 ** 32, 2 ** 63, 2 ** 64), "text": "x"}),
    "position_negative": change({"range": span(-1, -1, -1, -1), "text": "x"}),
    "position_backwards": change({"range": span(3, 0, 1, 0), "text": "x"}), "position_text": change({"range": span("a", "b", [], {}), "text": "x"}),
    "position_float": change({"range": span(0.5, 0.5, 1e308, 1e308), "text": "x"}),
    "many_changes": change(*[{"range": span(0, 0, 0, 0), "text": "x"}] * 5000),
    "hover_beyond": message("textDocument/hover", {"textDocument": {"uri": "{uri}"}, "position": {"line": 2 ** 31, "character": 2 ** 31}}, id=6),
    "hover_no_position": message("textDocument/hover", {"textDocument": {"uri": "{uri}"}}, id=7),
    "action_odd": message("textDocument/codeAction", {"textDocument": {"uri": "{uri}"}, "range": 7, "context": []}, id=8),
    "action_data": message("codeAction/resolve", {"data": {"id": [], "uri": 7}}, id=9),
    "command_unknown": message("workspace/executeCommand", {"command": "rm -rf", "arguments": [{}]}, id=10),
    "command_odd": message("workspace/executeCommand", {"command": "heddle.suppress", "arguments": [{"id": "../../x", "reason": "\n"}]}, id=11),
    "trace_odd": message("heddle/trace", {"id": {"a": 1}}, id=12), "pair_odd": message("heddle/runPair", {"pairs": [2 ** 64], "target": []}, id=13),
    "why_odd": message("heddle/why", {"a": 1, "b": 2, "line": "x"}, id=14), "nightly_odd": message("heddle/nightly", {"project": "file:///none"}, id=15),
    "statement_odd": message("heddle/statement", {"textDocument": {"uri": "{uri}"}, "position": {"line": -5, "character": 1e300}}, id=16),
    "hint_odd": message("textDocument/inlayHint", {"textDocument": {"uri": "{uri}"}, "range": span(9, 9, -9, -9)}, id=17),
    "lens_resolve_odd": message("codeLens/resolve", {"command": 7, "data": "x"}, id=18),
    "watched_odd": message("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///none/compile_commands.json", "type": 99}, {"uri": ""}]}),
    "watched_text": message("workspace/didChangeWatchedFiles", {"changes": "x"}),
    "rename_odd": message("workspace/didRenameFiles", {"files": [{"oldUri": "{folder}", "newUri": "x"}, {"oldUri": "{uri}", "newUri": "{uri}"}]}),
    "configuration_odd": message("workspace/didChangeConfiguration", {"settings": {"heddle": {
        "run": [], "changeDelayMs": 2 ** 62, "timeLimitSeconds": 1e308, "compileCommands": "\0"}}}),
    "configuration_device": message("workspace/didChangeConfiguration", {"settings": {"heddle": {"run": "never", "compileCommands": "/dev/zero"}}}),
    "cancel_odd": message("$/cancelRequest", {"id": {"x": []}}), "cancel_null": message("$/cancelRequest"),
    "open_nul": message(OPEN, document("{folder}/n.c", text="int\0x;\0" * 1000)),
    "open_bad_utf16": message(OPEN, document("{folder}/s.c", text="\ud800\udfff\udc00")),
    "open_long_line": message(OPEN, document("{folder}/l.c", text="int x" + "x" * (4 << 20) + ";")),
    "open_many_lines": message(OPEN, document("{folder}/m2.c", text="\n" * (2 << 20)))}
MESSAGES = BODIES | {f"uri_{n}": message(OPEN, document(uri)) for n, uri in enumerate(ODD_URIS)} | {
    f"uri_saved_{n}": message(SAVE, {"textDocument": {"uri": uri}}) for n, uri in enumerate(ODD_URIS[:12])}
