"""Proved fixes as code actions, with the real engine: looked for after the verdict, offered with their proof."""
import copy
import sys
import time
import unittest
from pathlib import Path

from client import FULL, LanguageServerTest, uri_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from counter_program import GUARDED, RACY  # noqa: E402

ANNOTATED = copy.deepcopy(FULL)
ANNOTATED["workspace"]["workspaceEdit"]["changeAnnotationSupport"] = {"groupsOnLabel": True}

INVERSION = """#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *forward(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}
static void *backward(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, forward, 0);
  pthread_create(&t, 0, backward, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
"""


# Only weaker memory shows that `data` is not there yet.
PUBLISHED = (Path(__file__).resolve().parents[1] / "editor/bugs/published.c").read_text()


def edited(text, edits):
    """The text after edits that do not overlap (no character beyond ASCII)."""
    lines = text.split("\n")
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)
    offset = lambda place: begins[place["line"]] + place["character"]  # noqa: E731
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


class ProvedFixes(LanguageServerTest):
    engine = "real"

    def begin(self, text, capabilities=FULL, options=None):
        client = self.client(capabilities=capabilities, options=options)
        path = self.write("a.c", text)
        client.open(path)
        client.wait_shown(path, lambda shown: shown)
        client.wait_idle()
        return client, path

    def proved(self, client, path, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = client.shown(path)
            actions = client.ask("textDocument/codeAction", {
                "textDocument": {"uri": uri_of(path)}, "range": shown[0]["range"], "context": {"diagnostics": []}})
            fixes = [action for action in actions if "(proved: " in action["title"]]
            if fixes:
                return fixes
            time.sleep(0.1)
        return []

    def accept(self, client, path, text, fix):
        change = fix["edit"]["documentChanges"][0]
        self.assertEqual(change["textDocument"], {"uri": uri_of(path), "version": 1})
        mended = edited(text, change["edits"])
        client.change(path, 2, [{"text": mended}])
        client.save(path, mended)
        client.wait_shown(path, lambda shown: shown == [])
        return mended

    def test_a_forgotten_lock(self):
        client, path = self.begin(RACY)
        fixes = self.proved(client, path)
        self.assertTrue(fixes)
        self.assertTrue(1 <= len(fixes) <= 3)
        self.assertEqual([fix["isPreferred"] for fix in fixes], [True] + [False] * (len(fixes) - 1))
        self.assertIn("Take 'm'", fixes[0]["title"])
        self.assertEqual(self.accept(client, path, RACY, fixes[0]), GUARDED)

    def test_locks_in_two_orders(self):
        client, path = self.begin(INVERSION)
        fixes = self.proved(client, path)
        self.assertTrue(fixes)
        mended = self.accept(client, path, INVERSION, fixes[0])
        self.assertEqual(sorted(mended.split("\n")), sorted(INVERSION.split("\n")))

    def test_the_weakest_order_that_forbids_what_only_weak_memory_shows(self):
        client, path = self.begin(PUBLISHED)
        fixes = self.proved(client, path)
        self.assertRegex(fixes[0]["title"], r"^The weakest memory orders that forbid it: store at line 7 release \(proved: ")
        self.assertTrue(fixes[0]["isPreferred"])
        mended = self.accept(client, path, PUBLISHED, fixes[0])
        self.assertEqual(mended, PUBLISHED.replace("&flag, 1, memory_order_relaxed", "&flag, 1, memory_order_release"))
        client.wait_idle()
        self.assertEqual({s["state"] for s in client.status.values()}, {"clear"})

    def test_a_change_of_one_file_needs_no_confirmation(self):   # VS Code would show it with nothing ticked
        client, path = self.begin(RACY, ANNOTATED)
        edit = self.proved(client, path)[0]["edit"]
        annotation = edit["changeAnnotations"]["heddle.fix"]
        self.assertFalse(annotation["needsConfirmation"])
        self.assertIn("proved: ", annotation["description"])
        self.assertTrue(all(change["annotationId"] == "heddle.fix" for change in edit["documentChanges"][0]["edits"]))

    def test_a_text_that_was_not_tried_gets_no_proof(self):
        client, path = self.begin(RACY)
        self.assertTrue(self.proved(client, path))
        client.change(path, 2, [{"text": RACY.replace("return 0;", "return 1;")}])
        self.assertEqual(self.proved(client, path, 0.5), [])

    def test_nothing_is_looked_for_where_it_is_not_wanted(self):
        client, path = self.begin(RACY, options={"fixes": False})
        self.assertEqual(self.proved(client, path, 2), [])


if __name__ == "__main__":
    unittest.main()
