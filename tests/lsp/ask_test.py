"""Conversations of clients that ask: pulled diagnostics, inlay hints, resolved lenses and fixes, renamed files."""
import copy
import os
import unittest

from client import FULL, LanguageServerTest, uri_of

RACE = "int x;\n  x++; // fake: at aa0000000001\n"


def pulling():
    capabilities = copy.deepcopy(FULL)
    capabilities["textDocument"]["diagnostic"] = {"dynamicRegistration": False}
    capabilities["workspace"]["diagnostics"] = {"refreshSupport": True}
    capabilities["experimental"]["heddle"]["pullDiagnostics"] = True
    return capabilities


class Pulled(LanguageServerTest):
    def document(self, path, known=None):
        return {"textDocument": {"uri": uri_of(path)}, "previousResultId": known}

    def test_who_is_told_need_not_ask(self):
        capabilities = copy.deepcopy(FULL)
        capabilities["textDocument"]["diagnostic"] = {}
        result = self.client(False).initialize(capabilities)
        self.assertNotIn("diagnosticProvider", result["capabilities"])

    def test_who_cannot_be_told_may_ask(self):
        result = self.client(False).initialize({"textDocument": {"diagnostic": {}}})
        provider = result["capabilities"]["diagnosticProvider"]
        self.assertTrue(provider["workspaceDiagnostics"])
        self.assertTrue(provider["interFileDependencies"])

    def test_a_document(self):
        client = self.client(capabilities=pulling())
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait(lambda: any(r["method"] == "workspace/diagnostic/refresh" for r in client.requests))
        client.wait_idle()
        report = client.ask("textDocument/diagnostic", self.document(path))
        self.assertEqual(report["kind"], "full")
        self.assertEqual([d["range"]["start"] for d in report["items"]], [{"line": 1, "character": 2}])
        again = client.ask("textDocument/diagnostic", self.document(path, report["resultId"]))
        self.assertEqual(again, {"kind": "unchanged", "resultId": report["resultId"]})
        client.change(path, 2, [{"text": "\n" + RACE}])
        moved = client.ask("textDocument/diagnostic", self.document(path, report["resultId"]))
        self.assertEqual(moved["items"][0]["range"]["start"]["line"], 2)
        self.assertNotEqual(moved["resultId"], report["resultId"])
        self.assertEqual(client.diagnostics, {})   # nothing is shown twice

    def test_the_workspace(self):
        client = self.client(capabilities=pulling())
        first, second = self.write("a.c", RACE), self.write("b.c", RACE.replace("aa", "bb"))
        client.open(first, version=4)
        client.open(second)
        client.wait_idle()
        client.close(second)
        report = client.ask("workspace/diagnostic", {"previousResultIds": []})
        items = {item["uri"]: item for item in report["items"]}
        self.assertEqual(set(items), {uri_of(first), uri_of(second)})
        self.assertEqual((items[uri_of(first)]["version"], items[uri_of(second)]["version"]), (4, None))
        known = [{"uri": uri, "value": item["resultId"]} for uri, item in items.items()]
        client.save(first, "int x;\n")
        client.change(first, 5, [{"text": "int x;\n"}])
        client.save(first)
        client.wait_idle()
        report = client.ask("workspace/diagnostic", {"previousResultIds": known})
        items = {item["uri"]: item for item in report["items"]}
        self.assertEqual(items[uri_of(first)]["items"], [])
        self.assertEqual(items[uri_of(second)]["kind"], "unchanged")

    def test_the_workspace_in_parts(self):
        client = self.client(capabilities=pulling())
        path = self.write("a.c", RACE)
        client.open(path)
        client.wait_idle()
        report = client.ask("workspace/diagnostic", {"previousResultIds": [], "partialResultToken": "part"})
        self.assertEqual(report["items"], [])
        parts = [m["params"]["value"]["items"] for m in client.messages
                 if m.get("method") == "$/progress" and m["params"]["token"] == "part"]
        self.assertEqual([item["uri"] for part in parts for item in part], [uri_of(path)])

    def test_wrong_parameters(self):
        client = self.client(capabilities=pulling())
        self.assertEqual(client.error("textDocument/diagnostic", {})["code"], -32602)
        self.assertEqual(client.error("workspace/diagnostic", {"previousResultIds": [{"uri": 3}]})["code"], -32602)
        self.assertEqual(client.error("textDocument/inlayHint", {"textDocument": {"uri": "file:///a.c"}})["code"], -32602)
        self.assertEqual(client.error("codeLens/resolve", {"range": {}})["code"], -32602)


class Resolved(LanguageServerTest):
    def test_a_lens_without_a_title_gets_one(self):
        capabilities = copy.deepcopy(FULL)
        capabilities["textDocument"]["codeLens"] = {"resolveSupport": {"properties": ["command"]}}
        client = self.client(capabilities=capabilities)
        path = self.write("a.c", "// fake: finding data-race\n\n    counter++;\n    counter++;\n")
        client.open(path)
        client.wait_idle()
        lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}})
        self.assertEqual(len(lenses), 1)
        self.assertNotIn("command", lenses[0])
        resolved = client.ask("codeLens/resolve", lenses[0])
        self.assertIn("show interleaving", resolved["command"]["title"])
        self.assertEqual(resolved["range"], lenses[0]["range"])
        gone = dict(lenses[0], data=dict(lenses[0]["data"], function="nobody"))
        self.assertIn("no change", client.ask("codeLens/resolve", gone)["command"]["title"])


class Renamed(LanguageServerTest):
    def rename(self, client, before, after):
        os.rename(before, after)
        client.notify("workspace/didRenameFiles", {"files": [{"oldUri": uri_of(before), "newUri": uri_of(after)}]})

    def test_a_file(self):
        client = self.client()
        before, after = self.write("a.c", RACE), self.project / "b.c"
        client.open(before)
        client.wait_shown(before, lambda d: len(d) == 1)
        client.close(before)
        self.rename(client, before, after)
        client.open(after)
        client.wait_shown(before, lambda d: d == [])
        self.assertEqual(client.wait_shown(after, lambda d: len(d) == 1)[0]["range"]["start"]["line"], 1)

    def test_a_folder(self):
        client = self.client()
        before = self.write("old/a.c", RACE)
        client.open(before)
        client.wait_shown(before, lambda d: len(d) == 1)
        self.rename(client, self.project / "old", self.project / "new")
        client.close(before)
        after = self.project / "new/a.c"
        client.open(after)
        client.wait_shown(after, lambda d: len(d) == 1)
        client.wait_shown(before, lambda d: d == [])

    def test_a_file_of_a_project(self):
        before, after = self.write("a.c", RACE), self.project / "b.c"
        self.write("compile_commands.json", "[]")
        client = self.client()
        client.open(before)
        client.wait_shown(before, lambda d: len(d) == 1)
        client.wait_idle()
        client.close(before)
        generation = client.status[uri_of(self.project)]["generation"]
        self.rename(client, before, after)
        client.wait(lambda: client.status[uri_of(self.project)]["generation"] > generation)

    def test_nonsense_is_logged(self):
        client = self.client()
        client.notify("workspace/didRenameFiles", {"files": [{"oldUri": 3}]})
        client.wait(lambda: any(m.get("method") == "window/logMessage" for m in client.messages))
        self.assertIn("serverBytes", client.ask("heddle/memoryUsage"))


if __name__ == "__main__":
    unittest.main()
