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
# Whose paths are long, and whose race needs two threads at their last steps.
STEPS = """#include <assert.h>
#include <pthread.h>
static int steps, sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *p) {
  for (int i = 0; i < 100000; ++i) __atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED);
  int seen = __atomic_load_n(&steps, __ATOMIC_RELAXED), rare = seen == 3 || seen == 1999999;
  if (!rare) pthread_mutex_lock(&m);
  ++sum;
  if (!rare) pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t[20];
  const int kThreads = 20;
  for (int i = 0; i < kThreads; ++i) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(t[i], 0);
  assert(__atomic_load_n(&steps, __ATOMIC_RELAXED) == 2000000);
  return 0;
}
"""
# More threads than a path may have.
MANY = """#include <pthread.h>
static int n;
static void *add(void *p) {
  __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
  return p;
}
int main(void) {
  pthread_t t[130];
  for (int i = 0; i < 130; ++i)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 130; ++i) pthread_join(t[i], 0);
  return 0;
}
"""


class Smaller(unittest.TestCase):
    def check(self, last, end, *options, text=POOL, limit="--time-limit=10"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pool.c"
            path.write_text(text.replace("LAST", last).replace("END", end), encoding="utf-8")
            before = path.read_bytes()
            run = subprocess.run([HEDDLE, "check", "--no-daemon", *([limit] if limit else []), *options, "pool.c"], cwd=folder,
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

    def test_what_is_found_before_an_assertion_fails(self):
        """The text names numbers and places. Large numbers count, too; what the program asserts of them does not."""
        run = self.check("", "", text=STEPS)
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertRegex(run.stdout, r"smaller: with kThreads 2 in place of 20 \(pool\.c:15\) and the loop to 100000 2 in "
                         r"place of 100000 \(pool\.c:6\), data race on 'sum'")

    def test_too_many_threads_without_a_time_limit(self):
        """The limit says where threads are started, and the default time allows for a smaller configuration."""
        run = self.check("", "", text=MANY, limit="")
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertRegex(run.stdout, r"more than 128 threads on one path, start fewer.*\(pool\.c:10\)")
        self.assertRegex(run.stdout, r"smaller: with the loops to 130 2 in place of 130 .* every interleaving is clear")

    def test_what_its_numbers_make_is_not_asserted(self):
        """With two threads the assertion fails: no result."""
        run = self.check("pthread_mutex_lock(&m[0]); ++plain; pthread_mutex_unlock(&m[0]);", "assert(plain == WORKERS + 0 * (plain - 7) && plain == 7);")
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertNotIn("smaller:", run.stdout)


if __name__ == "__main__":
    unittest.main()
