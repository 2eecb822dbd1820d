"""Conversations with a scripted engine: `// fake: at ID` in a line is a finding there, see tests/daemon/fake_engine_main.cc."""
import time
import unittest

from client import RACE, FULL, LanguageServerTest, uri_of, utf16, starts


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
        fixed = "// fake: sleep 3000\nint x;\n"
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


if __name__ == "__main__":
    unittest.main()
