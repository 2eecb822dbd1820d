"""Conversations about C++ with the real engine: guards as fixes, suppressions, hints, hovers."""
import unittest

from client import LanguageServerTest, uri_of
from real_test import actions_at, suppress

PROGRAM = """#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ += amount;
  }
  int balance() {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

Account account;
int seen;

int main() {
  std::thread other([] { account.deposit(1); });
  account.deposit(2);
  seen = account.balance();
  other.join();
  return 0;
}
"""
GUARD = "    std::lock_guard<std::mutex> lock(mutex_);\n"
NO_GUARD_IN_BALANCE = PROGRAM.replace(GUARD + "    return", "    return")
NO_GUARD_IN_DEPOSIT = PROGRAM.replace(GUARD + "    balance_", "    balance_")
GLOBAL = """#include <mutex>
#include <thread>
std::mutex m;
int counter;
void worker() {
  std::scoped_lock both(m);
  counter++;
}
int main() {
  std::thread t(worker);
  counter++;
  t.join();
}
"""


class Cpp(LanguageServerTest):
    engine = "real"

    def begin(self, text, **more):
        more.setdefault("options", {"fixes": False})
        client = self.client(**more)
        path = self.write("a.cc", text)
        client.open(path)
        client.wait_idle(120)
        return client, path

    def fix(self, client, path, line):
        fixes = [a for a in actions_at(client, path, line) if a["title"].startswith("Take")]
        self.assertEqual(len(fixes), 1, fixes)
        return fixes[0]

    def mended(self, text, edit):
        lines = text.split("\n")
        at = edit["range"]
        self.assertEqual((at["start"]["character"], at["start"]["line"]), (0, at["end"]["line"]))
        lines[at["start"]["line"]:at["end"]["line"] + 1] = edit["newText"].split("\n")
        return "\n".join(lines)

    def test_the_guard_that_a_reader_forgot(self):
        client, path = self.begin(NO_GUARD_IN_BALANCE)
        client.wait_shown(path, lambda d: len(d) == 2)
        line = NO_GUARD_IN_BALANCE.split("\n").index("    return balance_;")
        fix = self.fix(client, path, line)
        self.assertTrue(fix["isPreferred"], fix)
        text = self.mended(NO_GUARD_IN_BALANCE, fix["edit"]["documentChanges"][0]["edits"][0])
        self.assertEqual(text, PROGRAM.replace("lock(mutex_);\n    return", "guard(mutex_);\n    return"))
        client.change(path, 2, [{"text": text}])
        client.save(path, text)
        client.wait_shown(path, lambda d: d == [])

    def test_the_head_of_a_class_does_not_speak_for_the_class(self):
        """The constructor without a line of its own is clear; a tick beside `class Account` would say it of its methods."""
        local = NO_GUARD_IN_BALANCE.replace("Account account;\n", "").replace("int main() {\n", "int main() {\n  Account account;\n")
        for text in (local.replace("[] {", "[&] {"),
                     local.replace("[] {", "[&] {").replace("class Account {", "template <typename T>\nclass Account {")
                          .replace("  Account account;", "  Account<int> account;")):
            client, path = self.begin(text)
            client.wait_shown(path, lambda d: len(d) == 2)
            lenses = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri_of(path)}})
            shown = {text.split("\n")[lens["range"]["start"]["line"]]: lens["command"]["title"] for lens in lenses}
            self.assertNotIn("class Account {", shown)
            self.assertIn("1 finding", shown["  int balance() {"])
            self.assertFalse([title for title in shown.values() if "finding" in title and " clear" in title])
            told = [m["params"] for m in client.messages if m.get("method") == "heddle/fragmentStatus"][-1]
            implicit = [f["function"] for f in told["fragments"] if f["implicit"]]
            self.assertEqual({name.rsplit("::", 1)[-1].strip("~") for name in implicit}, {"Account"}, told)
            client.stop()

    def test_a_fault_of_each_template_instance_is_one_diagnostic(self):
        client, path = self.begin("#include <cassert>\n#include <thread>\ntemplate <typename T>\nvoid check(T value) {\n"
                                  "  assert(value < 1);\n}\nint main() {\n  std::thread one([] { check(1); });\n"
                                  "  check(2L);\n  one.join();\n}\n")
        client.wait_shown(path, lambda shown: [d["range"]["start"]["line"] for d in shown] == [4])

    def test_the_guard_of_a_global(self):
        client, path = self.begin(GLOBAL)
        client.wait_shown(path, lambda d: len(d) == 2)
        fix = self.fix(client, path, 10)
        self.assertTrue(fix["isPreferred"], fix)
        text = self.mended(GLOBAL, fix["edit"]["documentChanges"][0]["edits"][0])
        self.assertIn("  {\n    std::scoped_lock guard(m);\n    counter++;\n  }\n", text)

    def test_a_fix_that_is_resolved_later(self):
        import copy
        from client import FULL
        capabilities = copy.deepcopy(FULL)
        capabilities["textDocument"]["codeAction"].update(dataSupport=True, resolveSupport={"properties": ["edit"]})
        client, path = self.begin(GLOBAL, capabilities=capabilities)
        client.wait_shown(path, lambda d: len(d) == 2)
        fix = self.fix(client, path, 10)
        self.assertTrue(fix["isPreferred"], fix)
        self.assertNotIn("edit", fix)
        # A line above is typed meanwhile: the edit is for the text as it is.
        client.change(path, 2, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "// above\n"}])
        client.wait_shown(path, lambda d: len(d) == 2 and not any(x["data"]["stale"] for x in d) and d[1]["range"]["start"]["line"] in (7, 11))
        edit = client.ask("codeAction/resolve", fix)["edit"]["documentChanges"][0]
        self.assertEqual(edit["textDocument"]["version"], 2)
        self.assertEqual(edit["edits"][0]["range"]["start"]["line"], 11)

    def test_no_preferred_fix_that_does_not_mend(self):
        # The other accesses are guarded by two locks, one each: taking one of them is not enough.
        text = GLOBAL.replace("std::mutex m;", "std::mutex m, n;").replace(
            "int main() {\n  std::thread t(worker);\n", "void other() {\n  std::scoped_lock one(n);\n  counter++;\n}\n"
            "int main() {\n  std::thread t(worker), u(other);\n").replace("  t.join();", "  t.join();\n  u.join();")
        client, path = self.begin(text)
        client.wait_shown(path, lambda d: d)
        line = text.split("\n").index("  std::thread t(worker), u(other);") + 1
        fix = self.fix(client, path, line)
        self.assertFalse(fix["isPreferred"])
        self.assertIn("does not make it clear", fix["title"])

    def test_suppression_and_back(self):
        client, path = self.begin(NO_GUARD_IN_BALANCE)
        shown = client.wait_shown(path, lambda d: len(d) == 2)
        text = suppress(self, client, shown[0]["data"]["id"], NO_GUARD_IN_BALANCE, reason="an old balance will do")
        self.assertIn("    // heddle: ignore[data-race] an old balance will do\n", text)
        client.change(path, 2, [{"text": text}])
        client.save(path, text)
        client.wait_shown(path, lambda d: d == [])
        client.wait_idle()
        self.assertEqual(list(client.status.values())[0]["suppressed"], 1)
        client.ask("workspace/executeCommand", {"command": "heddle.unsuppress", "arguments": [{"id": shown[0]["data"]["id"]}]})
        edits = [r for r in client.requests if r["method"] == "workspace/applyEdit"][-1]["params"]["edit"]
        change = edits["documentChanges"][0]["edits"][0]
        self.assertEqual(change["newText"], "")

    def test_hints_say_which_locks_are_held(self):
        client, path = self.begin(PROGRAM)
        client.change(path, 2, [{"text": NO_GUARD_IN_DEPOSIT}])
        client.save(path, NO_GUARD_IN_DEPOSIT)
        client.wait_shown(path, lambda d: d)
        client.wait_idle()
        everything = {"textDocument": {"uri": uri_of(path)}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}

        def hints():
            lines = NO_GUARD_IN_DEPOSIT.split("\n")
            return {lines[h["position"]["line"]].strip(): h["label"] for h in client.ask("textDocument/inlayHint", everything)}
        # In the changed function alone.
        self.assertEqual(hints(), {"balance_ += amount;": "no lock held"})
        client.notify("workspace/didChangeConfiguration", {"settings": {"heddle": {"inlayHints": "all"}}})
        told = hints()
        self.assertEqual(told["balance_ += amount;"], "no lock held")
        self.assertIn("mutex_", told["return balance_;"])
        client.change(path, 3, [{"text": "// above\n" + NO_GUARD_IN_DEPOSIT.replace("return balance_;", "return balance_ + 0;")}])
        moved = client.ask("textDocument/inlayHint", everything)
        self.assertIn(7, [h["position"]["line"] for h in moved])
        self.assertNotIn("return balance_ + 0;", [NO_GUARD_IN_DEPOSIT.split("\n")[h["position"]["line"] - 1] for h in moved])
        client.notify("workspace/didChangeConfiguration", {"settings": {"heddle": {"inlayHints": "off"}}})
        self.assertEqual(client.ask("textDocument/inlayHint", everything), [])

    def hints_of(self, text):
        client, path = self.begin(text)
        client.wait_idle()
        client.notify("workspace/didChangeConfiguration", {"settings": {"heddle": {"inlayHints": "all"}}})
        everything = {"textDocument": {"uri": uri_of(path)}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}
        lines = text.split("\n")
        return {lines[h["position"]["line"]].strip(): h["label"] for h in client.ask("textDocument/inlayHint", everything)}

    def test_a_lock_that_is_not_known_is_not_called_none(self):
        # Which of two mutexes is taken only running tells; a guard that may be released; one that is handed on; one of
        # the caller, or of some callers.
        told = self.hints_of(
            "#include <mutex>\n#include <thread>\nstruct Shelf {\n  std::mutex &mutex;\n  int books = 0;\n  int lent = 0;\n  int lost = 0;\n  int free = 0;\n  int sold = 0;\n  int seen = 0;\n"
            "  void add() {\n    std::lock_guard<std::mutex> guard(mutex);\n    books++;\n  }\n"
            "  void lend(bool early) {\n    std::unique_lock<std::mutex> guard(mutex);\n    if (early) guard.unlock();\n    lent++;\n  }\n"
            "  std::unique_lock<std::mutex> take() { return std::unique_lock<std::mutex>(mutex); }\n"
            "  void lose() {\n    auto held = take();\n    lost++;\n  }\n"
            "  void open() {\n    free++;\n  }\n"
            "  void sell() {\n    std::lock_guard<std::mutex> guard(mutex);\n    pay();\n    look();\n  }\n"
            "  void pay() {\n    sold++;\n  }\n  void look() {\n    seen++;\n  }\n};\n"
            "std::mutex one, two;\nShelf left{one}, right{two};\n"
            "void work() { left.open(); right.open(); left.add(); right.add(); left.lend(true); right.lose(); left.sell(); right.sell(); left.look(); }\n"
            "int main() {\n  std::thread t(work), u(work);\n  t.join();\n  u.join();\n}\n")
        for line in ("books++;", "lent++;", "lost++;", "sold++;", "seen++;"):
            self.assertNotIn("no lock", told.get(line, ""), line)
        self.assertEqual(told["free++;"], "no lock held")

    def test_hover_tells_the_mutexes_of_two_classes_apart(self):
        log = ("class Log {\n public:\n  void add() {\n    std::lock_guard<std::mutex> lock(mutex_);\n    lines_++;\n  }\n\n private:\n"
               "  std::mutex mutex_;\n  int lines_ = 0;\n};\n\nLog history;\n")
        text = NO_GUARD_IN_BALANCE.replace("Account account;\n", log + "Account account;\n").replace("deposit(1);", "deposit(1); history.add();").replace("deposit(2);", "deposit(2);\n  history.add();")
        client, path = self.begin(text)
        client.wait_shown(path, lambda d: len(d) == 2)

        def held(line):
            at = {"textDocument": {"uri": uri_of(path)}, "position": {"line": text.split("\n").index(line), "character": 6}}
            return client.ask("heddle/statement", at)["statements"][0]["locks"]
        self.assertEqual(held("    balance_ += amount;"), ["account.mutex_"])
        self.assertEqual(held("    lines_++;"), ["history.mutex_"])
        self.assertEqual(held("    return balance_;"), [])

    def test_hover_names_the_class(self):
        client, path = self.begin(NO_GUARD_IN_BALANCE)
        client.wait_shown(path, lambda d: len(d) == 2)
        line = NO_GUARD_IN_BALANCE.split("\n").index("    balance_ += amount;")
        text = client.ask("textDocument/hover", {"textDocument": {"uri": uri_of(path)}, "position": {"line": line, "character": 6}})["contents"]["value"]
        self.assertIn("mutex_", text)
        self.assertIn("Account::balance", text)

    def test_what_the_library_does_for_a_call_of_the_project(self):
        client, path = self.begin(PROGRAM.replace("balance_ += amount;", "if (amount > 2) balance_ += amount;"))
        project = uri_of(path)
        target = client.ask("heddle/scope", {"project": project})["targets"][0]["target"]
        client.ask("heddle/runPair", {"project": project, "target": target, "fragment": 0, "coverage": True})
        told = client.wait(lambda: [m["params"] for m in client.messages if m.get("method") == "heddle/coverage"])[0]
        self.assertTrue(told["complete"])
        self.assertEqual({s["uri"] for s in told["statements"]}, {uri_of(path)})   # nothing of the library
        lines = {}
        for statement in told["statements"]:
            lines.setdefault(statement["range"]["start"]["line"], []).append((statement["kind"], statement["pairs"] > 0))
        self.assertIn(("library call", True), lines[6])         # the guard
        self.assertEqual({run for _, run in lines[7]}, {False}, lines)
        self.assertIn(("library call", True), lines[26])        # join()


if __name__ == "__main__":
    unittest.main()
