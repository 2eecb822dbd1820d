"""`heddle show ID --as-test`: the program that it writes fails natively, under ThreadSanitizer or by its own assertion, in C
and in C++; a program without the finding's interleaving is refused with a reason."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve()
HEDDLE = str(Path(os.environ.get("HEDDLE_BINARIES", HERE.parents[2] / "build" / "bin")) / "heddle")

RACE_C = """#include "shared.h"
static void *worker(void *p) {
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  counter++;
  pthread_join(t, 0);
  return 0;
}
"""
SHARED_H = """#pragma once
#include <pthread.h>
static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
"""
RACE_CC = """#include <mutex>
#include <thread>
class Account {
 public:
  void deposit(int n) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ += n;
  }
  void withdraw(int n) { balance_ -= n; }
 private:
  std::mutex mutex_;
  int balance_ = 0;
};
int main() {
  Account account;
  std::thread a([&] { account.deposit(3); });
  std::thread b([&] { account.withdraw(2); });
  a.join();
  b.join();
}
"""
DEADLOCK_C = """#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return p;
}
static void *two(void *p) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return p;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
"""
DEADLOCK_CC = """#include <mutex>
#include <thread>
std::mutex a, b;
void forwards() {
  std::lock_guard<std::mutex> one(a);
  std::lock_guard<std::mutex> two(b);
}
void backwards() {
  std::lock_guard<std::mutex> one(b);
  std::lock_guard<std::mutex> two(a);
}
int main() {
  std::thread x(forwards), y(backwards);
  x.join();
  y.join();
}
"""
ASSERTION_C = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int counter;
static void *worker(void *p) {
  counter = counter + 1;
  return p;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, worker, 0);
  pthread_create(&y, 0, worker, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(counter == 2);
  return 0;
}
"""
ASSERTION_CC = """#include <cassert>
#include <mutex>
#include <thread>
class Stock {
 public:
  void take() {
    if (count() == 0) return;
    std::lock_guard<std::mutex> guard(mutex_);
    --count_;
    assert(count_ >= 0);
  }
  int count() {
    std::lock_guard<std::mutex> guard(mutex_);
    return count_;
  }
 private:
  std::mutex mutex_;
  int count_ = 1;
};
Stock stock;
int main() {
  std::thread a([] { stock.take(); });
  std::thread b([] { stock.take(); });
  a.join();
  b.join();
}
"""
# name, text, rule, flags, exit code of the test, what it says
CASES = [
    ("race_in_c.c", RACE_C, "data-race", ["-fsanitize=thread"], 66, "ThreadSanitizer: data race"),
    ("race_in_cc.cc", RACE_CC, "data-race", ["-fsanitize=thread"], 66, "ThreadSanitizer: data race"),
    ("deadlock_in_c.c", DEADLOCK_C, "deadlock", [], 1, "each waits for another"),
    ("deadlock_in_cc.cc", DEADLOCK_CC, "deadlock", [], 1, "each waits for another"),
    ("assertion_in_c.c", ASSERTION_C, "assertion", [], -6, "counter == 2"),
    ("assertion_in_cc.cc", ASSERTION_CC, "assertion", [], -6, "count_ >= 0"),
]


class NativeTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-native-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith("HEDDLE_") and key != "TSAN_OPTIONS"}
        self.environment.update(XDG_CACHE_HOME=str(self.folder / "cache"), HEDDLE_STATE_DIR=str(self.folder / "state"))
        (self.folder / "shared.h").write_text(SHARED_H)

    def run_in_folder(self, *command, timeout=120):
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=timeout)

    def heddle(self, *arguments, code):
        result = self.run_in_folder(HEDDLE, arguments[0], "--no-daemon", "--color=never", *arguments[1:])
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def finding(self, name, text, rule):
        (self.folder / name).write_text(text)
        told = [json.loads(line) for line in self.heddle("check", "--format=jsonl", name, code=1).stdout.splitlines()]
        return next(t["id"] for t in told if t["type"] == "finding" and t["rule"].startswith(rule))

    def test_each_kind_fails_natively(self):
        for name, text, rule, flags, code, words in CASES:
            with self.subTest(program=name):
                made = self.heddle("show", self.finding(name, text, rule), name, "--as-test", "--output", "made" + Path(name).suffix, code=0)
                self.assertEqual(made.stderr, "")
                compiler = ["cc", "-std=c11"] if name.endswith(".c") else ["c++", "-std=c++20"]
                built = self.run_in_folder(*compiler, "-Wall", "-Wextra", "-Werror", "-Wno-unknown-warning-option", "-g", "-pthread", *flags,
                                           "-o", "made", "made" + Path(name).suffix)
                self.assertEqual(built.returncode, 0, built.stderr)
                (self.folder / "shared.h").unlink(missing_ok=True)   # the test is one file
                ran = self.run_in_folder("./made")
                (self.folder / "shared.h").write_text(SHARED_H)
                self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
                self.assertIn(words, ran.stdout + ran.stderr)

    # The same calls around the right program: the interleaving is not there, and nothing fails by the calls alone.
    def test_a_mended_program_does_not_fail(self):
        name = "assertion_in_c.c"
        made = self.heddle("show", self.finding(name, ASSERTION_C, "assertion"), name, "--as-test", code=0).stdout
        self.assertRegex(made, r"heddle_value = counter \+ 1;")
        mended = re.sub(r"\{ __typeof__.*\}", "counter++;", made)
        self.assertNotEqual(mended, made)
        (self.folder / "mended.c").write_text(mended)
        self.assertEqual(self.run_in_folder("cc", "-g", "-pthread", "-o", "mended", "mended.c").returncode, 0)
        self.assertIn(self.run_in_folder("./mended").returncode, (0, 3))

    def test_what_cannot_be_made_is_said(self):
        name = "race_in_cc.cc"
        number = self.finding(name, RACE_CC, "data-race")
        self.assertIn("excludes", self.heddle("show", number, name, "--as-test", "--schedule", code=2).stderr)
        (self.folder / name).unlink()
        (self.folder / "other.cc").write_text(RACE_CC)
        gone = self.heddle("show", number, "other.cc", "--as-test", code=2)
        self.assertIn("cannot be read", gone.stderr)
        self.assertEqual(gone.stdout, "")


if __name__ == "__main__":
    unittest.main()
