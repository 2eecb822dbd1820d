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
# The numbers are in a header, the loops in macros; an assertion fails in some interleavings only.
HEADER = """#include <assert.h>
#include <pthread.h>
#define N 10000
#define START(f) pthread_t t[N]; for (int i = 0; i < N; ++i) \\
    pthread_create(&t[i], 0, f, 0)
#define JOIN() for (int i = 0; i < N; ++i) pthread_join(t[i], 0)
"""
USER = """#include "pool.h"
static int busy;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int n) {
  pthread_mutex_lock(&m);
  busy += n;
  pthread_mutex_unlock(&m);
}
static void *work(void *p) {
  add(1);
  add(-1);
  return p;
}
int main(void) {
  START(work);
  pthread_mutex_lock(&m);
  assert(busy == 0);
  pthread_mutex_unlock(&m);
  JOIN();
  return 0;
}
"""
# The deadlock is possible in each round; the rounds start more threads than a path may have.
IN_ROUNDS = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int rounds;
static void *one(void *p) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  ++rounds;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return p;
}
static void *other(void *p) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  ++rounds;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return p;
}
int main(void) {
  for (int i = 0; i < 1000; ++i) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
  }
  return rounds == 0;
}
"""


class Smaller(unittest.TestCase):
    def check(self, last, end, *options, text=POOL, limit="--time-limit=10", header=""):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pool.c"
            (Path(folder) / "pool.h").write_text(header, encoding="utf-8")
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

    def test_numbers_of_a_header_and_an_assertion_that_some_interleavings_pass(self):
        run = self.check("", "", text=USER, header=HEADER)
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertRegex(run.stdout, r"smaller: with N 2 in place of 10000 \(pool\.h:3\), assertion 'busy == 0' failed")

    def test_an_error_before_there_are_too_many_threads(self):
        """The path that was too wide shows which steps might have come earlier."""
        run = self.check("", "", text=IN_ROUNDS)
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("[deadlock]", run.stdout)
        self.assertIn("not all interleavings;", run.stdout)

    def test_what_its_numbers_make_is_not_asserted(self):
        """With two threads the assertion fails: no result."""
        run = self.check("pthread_mutex_lock(&m[0]); ++plain; pthread_mutex_unlock(&m[0]);", "assert(plain == WORKERS + 0 * (plain - 7) && plain == 7);")
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertNotIn("smaller:", run.stdout)


if __name__ == "__main__":
    unittest.main()
