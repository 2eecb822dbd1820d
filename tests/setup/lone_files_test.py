"""Questions in a folder of files that no compile database names: they are about what was checked there."""
import unittest

from fresh_user import RACY, FreshUser

HALVES = """#include <pthread.h>
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p) {
  pthread_mutex_lock(&m);
  total++;
  pthread_mutex_unlock(&m);
  return p;
}
static void *b(void *p) {
  if (total > 3)
    return p;
  total = 0;
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
"""


class LoneFiles(FreshUser):
    def test_where_nothing_was_checked(self):
        self.write("racy.c", RACY)
        for mode in ([], ["--no-daemon"]):
            for command in ("show", "replay", "fix"):
                said = self.heddle(command, "nope", *mode, code=2)
                self.assertIn("has not been checked yet", said.stdout + said.stderr, command)
                self.assertNotIn("compile_commands.json", said.stdout + said.stderr, command)
            for command in (["suppress", "list"], ["suppress", "expire"], ["baseline", "show"]):
                said = self.heddle(*command, *mode, code=2)
                self.assertIn("has not been checked yet", said.stderr, command)

    def test_an_id_that_no_finding_has(self):
        self.write("racy.c", RACY)
        self.heddle("check", "racy.c", code=1)
        for command in ("show", "replay", "fix"):
            said = self.heddle(command, "nope", code=2)
            self.assertIn("no open finding has the id 'nope'", said.stdout + said.stderr, command)

    def test_lists_are_of_what_was_checked_there(self):
        found = {}
        for name in ("racy.c", "other.c"):
            self.write(name, RACY.replace("x", name[0]))
            found[name] = next(line["id"] for line in self.json_lines("check", name, code=1) if line["type"] == "finding")
        self.assertIn("0 findings suppressed", self.heddle("suppress", "list", code=0).stdout)
        self.heddle("suppress", "add", found["racy.c"], "--reason", "statistics", code=0)
        listed = self.heddle("suppress", "list", code=0).stdout
        self.assertIn("1 finding suppressed", listed)
        self.assertIn(found["racy.c"], listed)
        self.heddle("suppress", "remove", found["racy.c"], code=0)
        self.assertIn("0 findings suppressed", self.heddle("suppress", "list", code=0).stdout)
        self.assertIn("no known findings", self.heddle("baseline", "show", code=0).stdout)
        self.heddle("baseline", "set", "other.c", code=0)
        self.assertIn("1 known finding", self.heddle("baseline", "show", code=0).stdout)

    def test_two_findings_that_one_fix_mends(self):
        self.write("halves.c", HALVES)
        mended = self.heddle("fix", "halves.c", code=0).stdout
        self.assertEqual(mended.count("[data-race]"), 2, mended)
        self.assertEqual(mended.count("--- "), 1, mended)
        self.assertRegex(mended, "the fix of [0-9a-f]{12} mends it, too")


if __name__ == "__main__":
    unittest.main()
