"""A program of too many threads: a smaller configuration is tried, and the verdict stays inconclusive."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

HEDDLE = os.path.join(os.environ["HEDDLE_BINARIES"], "heddle")
# Threads that take turns at several locks, in an order of their own: states multiply with each.
POOL = """#include <assert.h>
#include <pthread.h>
#define WORKERS 7
enum { ROUNDS = 6 };
static pthread_mutex_t m[4];
static int shared[4], plain;
static void *work(void *p) {
  for (int i = 0; i < ROUNDS; ++i) {
    int n = (i * (int)(long)p + i) % 4;
    pthread_mutex_lock(&m[n]);
    shared[n] = shared[n] * 3 + (int)(long)p;
    pthread_mutex_unlock(&m[n]);
  }
  LAST
  return 0;
}
int main(void) {
  pthread_t t[WORKERS];
  for (long i = 0; i < WORKERS; ++i) pthread_create(&t[i], 0, work, (void *)(i + 1));
  for (int i = 0; i < WORKERS; ++i) pthread_join(t[i], 0);
  END
  return 0;
}
"""


class Smaller(unittest.TestCase):
    def check(self, last, end, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pool.c"
            path.write_text(POOL.replace("LAST", last).replace("END", end), encoding="utf-8")
            before = path.read_bytes()
            run = subprocess.run([HEDDLE, "check", "--no-daemon", "--time-limit=10", *options, "pool.c"], cwd=folder,
                                 capture_output=True, text=True, check=False)
            self.assertEqual(path.read_bytes(), before)
            return run

    def test_fewer_threads_are_clear(self):
        run = self.check("", "", "--format=jsonl")
        events = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual((run.returncode, events[-1]["verdict"]), (3, "inconclusive"), run.stdout)
        smaller = [event for event in events if event["type"] == "smaller"]
        self.assertEqual(len(smaller), 1, run.stdout)
        self.assertNotIn("finding", smaller[0])
        self.assertGreater(smaller[0]["interleavings"], 0)
        changed = {change["name"]: (change["from"], change["to"], change["place"]["line"]) for change in smaller[0]["changes"]}
        self.assertEqual(changed["WORKERS"], (7, 2, 3))

    def test_the_text_names_numbers_and_places(self):
        run = self.check("", "")
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertRegex(run.stdout, r"smaller: with .*WORKERS 2 in place of 7 \(pool\.c:3\).*every interleaving is clear")

    def test_what_its_numbers_make_is_not_asserted(self):
        """With two threads the assertion fails: no result."""
        run = self.check("pthread_mutex_lock(&m[0]); ++plain; pthread_mutex_unlock(&m[0]);", "assert(plain == WORKERS + 0 * (plain - 7) && plain == 7);")
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertNotIn("smaller:", run.stdout)


if __name__ == "__main__":
    unittest.main()
