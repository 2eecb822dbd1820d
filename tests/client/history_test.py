"""The books at every commit of a history: what each check says was introduced, is still there and was fixed, compared with
what the commit did. Errors have names of their own; which of them a version has is written beside it."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from git_environment import without_the_users_git  # noqa: E402

HERE = Path(__file__).resolve()
HEDDLE = str(Path(os.environ.get("HEDDLE_BINARIES", HERE.parents[2] / "build" / "bin")) / "heddle")

BASE = """#include <pthread.h>
struct stock { pthread_mutex_t m; int items, sold; };
static struct stock s = {PTHREAD_MUTEX_INITIALIZER, 2, 0};
static _Atomic int visits;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int logged;
static void sell(void) {
  pthread_mutex_lock(&s.m);
  if (s.items > 0) {
    s.items--;
    s.sold++;
  }
  pthread_mutex_unlock(&s.m);
}
static void note(void) {
  pthread_mutex_lock(&log_lock);
  logged++;
  pthread_mutex_unlock(&log_lock);
}
static void *clerk(void *x) {
  visits++;
  sell();
  note();
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, clerk, 0);
  pthread_create(&b, 0, clerk, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return s.sold > 2;
}
"""

LOCK_STOCK, UNLOCK_STOCK = "  pthread_mutex_lock(&s.m);\n", "  pthread_mutex_unlock(&s.m);\n"
LOCK_LOG, UNLOCK_LOG = "  pthread_mutex_lock(&log_lock);\n", "  pthread_mutex_unlock(&log_lock);\n"
CROSSED = """static int audited;
static void audit(void) {
  pthread_mutex_lock(&log_lock);
  pthread_mutex_lock(&s.m);
  audited += s.sold;
  pthread_mutex_unlock(&s.m);
  pthread_mutex_unlock(&log_lock);
}
static void settle(void) {
  pthread_mutex_lock(&s.m);
  pthread_mutex_lock(&log_lock);
  audited -= s.sold;
  pthread_mutex_unlock(&log_lock);
  pthread_mutex_unlock(&s.m);
}
static void *clerk("""


# A change of a text: pairs of what is there once and what takes its place.
def edit(*changes):
    def apply(text):
        for old, new in changes:
            assert text.count(old) == 1, (old, text)
            text = text.replace(old, new)
        return text
    return apply


DROP_STOCK = edit((LOCK_STOCK + "  if", "  if"), ("  }\n" + UNLOCK_STOCK, "  }\n"))
TAKE_STOCK = edit(("void sell(void) {\n", "void sell(void) {\n" + LOCK_STOCK), ("    s.sold++;\n  }\n", "    s.sold++;\n  }\n" + UNLOCK_STOCK))
DROP_LOG = edit((LOCK_LOG + "  logged++", "  logged++"), ("logged++;\n" + UNLOCK_LOG, "logged++;\n"))
TAKE_LOG = edit(("  logged++;\n", LOCK_LOG + "  logged++;\n" + UNLOCK_LOG))

# What the commit does, and the errors that its version has: the variables that race, "deadlock".
HISTORY = [
    ("all right", lambda text: text, set()),
    ("the counter of visits is plain", edit(("_Atomic int visits", "int visits")), {"visits"}),
    ("sell() takes no lock", DROP_STOCK, {"visits", "stock"}),
    ("moved by a comment", lambda text: "// The shop.\n\n" + text, {"visits", "stock"}),
    ("visits are mended", edit(("static int visits", "static _Atomic int visits")), {"stock"}),
    ("note() takes no lock", DROP_LOG, {"stock", "log"}),
    ("sell() moves behind note()", lambda text: text.replace("  sell();\n  note();\n", "  note();\n  sell();\n"), {"stock", "log"}),
    ("sell() is mended", TAKE_STOCK, {"log"}),
    ("two locks in two orders", edit(("static void *clerk(", CROSSED), ("  return x;\n}\n", "  if (x) audit(); else settle();\n  return x;\n}\n"),
                                     ("create(&b, 0, clerk, 0)", "create(&b, 0, clerk, &a)")), {"log", "deadlock"}),
    ("note() is mended", TAKE_LOG, {"deadlock"}),
    ("settle() takes them as audit() does", edit((
        "  pthread_mutex_lock(&s.m);\n  pthread_mutex_lock(&log_lock);\n  audited -=",
        "  pthread_mutex_lock(&log_lock);\n  pthread_mutex_lock(&s.m);\n  audited -=")), set()),
    ("sell() takes no lock again", DROP_STOCK, {"stock"}),
    ("and is mended", TAKE_STOCK, set()),
]


def error_of(finding):
    if finding["rule"] != "data-race":
        return finding["rule"]
    subject = finding["message"].split("'")[1]
    return {"visits": "visits", "s": "stock", "logged": "log"}[subject.split(".")[0]]


class History(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-history-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.project = self.folder / "project"
        self.project.mkdir()
        self.environment = {key: value for key, value in without_the_users_git(os.environ).items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith("HEDDLE_")}
        self.environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), HEDDLE_STATE_DIR=str(self.folder / "state"),
                                HOME=str(self.folder))
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.project, env=self.environment, capture_output=True,
                              text=True, check=True, timeout=60).stdout.strip()

    def check(self):
        result = subprocess.run([HEDDLE, "check", "--no-daemon", "--format=jsonl", "shop.c"], cwd=self.project,
                                env=self.environment, capture_output=True, text=True, timeout=120)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        findings = {line["id"]: line for line in lines if line["type"] == "finding"}
        return lines[-1], list(findings.values())

    # What the check says of each state, by error.
    @staticmethod
    def books(findings):
        books = {}
        for finding in findings:
            books.setdefault(finding["state"], set()).add(error_of(finding))
        return books

    # The books after a version with the errors `before` was checked.
    def compare(self, before, errors, name):
        verdict, findings = self.check()
        with self.subTest(name):
            open_ones = {error_of(finding) for finding in findings if finding["state"] in ("new", "still-there", "changed")}
            self.assertEqual(open_ones, errors)
            books = self.books(findings)
            self.assertEqual(books.get("not-confirmed", set()), set())
            self.assertEqual({error for error in books.get("fixed", set()) if error not in errors}, before - errors)
            self.assertTrue(errors - before <= books.get("new", set()), books)
            self.assertTrue(before & errors <= books.get("still-there", set()) | books.get("changed", set()), books)
            # An error that was there before has no finding that counts as introduced by an edit elsewhere.
            self.assertEqual(verdict["introduced"], len(errors - before), books)
            defects = verdict["findings"] - verdict["consequences"] - verdict["grouped"]
            self.assertEqual(defects, len(errors), findings)
            self.assertEqual(verdict["verdict"], "findings" if errors else "clear", verdict["message"])

    def test_every_commit(self):
        path, text = self.project / "shop.c", BASE
        commits = []
        for name, change, errors in HISTORY:
            text = change(text)
            path.write_text(text)
            self.git("add", "shop.c")
            self.git("commit", "-q", "-m", name)
            commits.append((name, self.git("rev-parse", "HEAD"), errors))
        self.assertEqual(text.replace("// The shop.\n\n", "").count("pthread_mutex_lock(&s.m)"), 3)
        before = set()
        for name, commit, errors in commits:
            self.git("checkout", "-q", commit)
            self.compare(before, errors, name)
            before = errors
        # Back and forth, as with bisect.
        for n in (8, 2, 5, 0, 6):
            name, commit, errors = commits[n]
            self.git("checkout", "-q", commit)
            self.compare(before, errors, "back at: " + name)
            before = errors


if __name__ == "__main__":
    unittest.main()
