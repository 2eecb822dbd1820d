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
# Memory errors: each is the first that its interleaving meets, with every access ordered by a lock or an atomic.
FREED_C = """#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static void *worker(void *p) {
  pthread_mutex_lock(&m);
  *shared = 5;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  free(shared);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""
FREED_TWICE_C = FREED_C.replace("*shared = 5;", "free(shared);")
NULL_C = FREED_C.replace("free(shared);", "free(shared);\n  shared = 0;")
UNWRITTEN_C = FREED_C.replace("*shared = 5;", "if (*shared > 3) *shared = 5;").replace("free(shared);", "*shared = 4;")
RETURNED_C = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static void *worker(void *p) {
  pthread_mutex_lock(&m);
  *shared = 5;
  pthread_mutex_unlock(&m);
  return p;
}
static void start(pthread_t *t) {
  int local = 0;
  shared = &local;
  pthread_create(t, 0, worker, 0);
  pthread_mutex_lock(&m);
  local++;
  pthread_mutex_unlock(&m);
}
int main(void) {
  pthread_t t;
  start(&t);
  pthread_join(t, 0);
  return 0;
}
"""
PAST_THE_END_CC = """#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
std::vector<int> numbers(1);
int *at;
void grow() {
  std::lock_guard<std::mutex> guard(m);
  at++;
}
int main() {
  at = numbers.data();
  std::thread t(grow);
  {
    std::lock_guard<std::mutex> guard(m);
    *at = 3;
  }
  t.join();
}
"""
# A race inside of the C++ library's shared object, which is built without a sanitizer.
IN_THE_LIBRARY_CC = """#include <sstream>
#include <thread>
std::ostringstream text;
int main() {
  std::thread a([] { text << 4; });
  std::thread b([] { text << 5; });
  a.join();
  b.join();
}
"""
# Every kind of input: in files, variables, arguments, standard input; by each thread's calls; by annotations.
INPUTS_C = r"""#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
long __VERIFIER_nondet_long(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int holds);
int read_sensor(int which);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int number;
static void *worker(void *p) {
  unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(c > 9);
  int step __attribute__((annotate("heddle: unknown 3..7")));
  pthread_mutex_lock(&m);
  number += c * 10 + step;
  pthread_mutex_unlock(&m);
  return p;
}
int main(int argc, char **argv) {
  char bytes[4] = "", line[4] = "";
  const char *mode = getenv("MODE");
  FILE *file = fopen("conf/w.bin", "rb");
  if (!file || argc != 3 || strcmp(argv[1], "--fast") || argv[2][0] != '"' || !mode || mode[0] != '\\' || getenv("NONE")) return 2;
  if (fread(bytes, 1, 3, file) != 3 || bytes[0] != 0 || bytes[1] != (char)200) return 3;
  fclose(file);
  if (!fgets(line, 4, stdin) || line[0] != '?' || line[1] != '?' || line[2] != '=') return 4;
  if (read_sensor(4) != -7 || __VERIFIER_nondet_long() != -0x7fffffffffffffff - 1 || __VERIFIER_nondet_double() != -1.0) return 5;
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  int seen = number;
  pthread_mutex_unlock(&m);
  assert(seen != 206);
  pthread_join(t, 0);
  return argc > 9 ? (int)__VERIFIER_nondet_double() : 0;
}
"""
INPUTS_SETTINGS = """arguments: ["--fast", {unknown: {length: 1}}]
environment: {MODE: {unknown: {length: 1}}, NONE: {one-of: [~, "1"]}}
stdin: {unknown: {length: 3}}
files: [{path: conf/w.bin, unknown: {length: 3}}]
unknown-externals: {default: stop, read_sensor: fresh, "level(int)": {fresh: {min: 2, max: 9}}}
"""
INPUTS_CC = """#include <mutex>
#include <thread>
#include <cassert>
int level(int which);
std::mutex guard;
int total = 0;
void add(int amount [[clang::annotate("heddle: unknown 4")]]) {
  std::lock_guard<std::mutex> hold(guard);
  total += amount;
}
int main() {
  int most = level(1);
  std::thread other(add, 1);
  int seen = 0;
  {
    std::lock_guard<std::mutex> hold(guard);
    seen = total;
  }
  assert(seen + most != 11);
  other.join();
}
"""
# Memory that calls fill: of two calls in one thread, and of a function that returns nothing.
FILLED_C = r"""#include <assert.h>
#include <pthread.h>
#include <string.h>
int read_packet(int from, char *bytes, int size);
void read_clock(long *now);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static void *worker(void *p) {
  long now;
  read_clock(&now);
  pthread_mutex_lock(&m);
  sum += now;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  char first[4], second[4];
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int got = read_packet(3, first, 4) + read_packet(3, second, 4);
  pthread_mutex_lock(&m);
  long seen = sum;
  pthread_mutex_unlock(&m);
  assert(seen != -5000000000 || got != 9 || memcmp(first, "q\"\\?", 4) != 0 || second[2] != (char)200 || second[0] != 1);
  pthread_join(t, 0);
}
"""
FILLED_SETTINGS = """unknown-externals:
  read_packet: {fresh: {min: 4, max: 5}, fills: {argument: 2, size-argument: 3}}
  read_clock: {fills: 1}
"""
# Results of every type, thread functions of one line, annotated parameters, functions that the path does not call.
TYPES_C = """#include <assert.h>
#include <pthread.h>
enum mode { IDLE, BUSY = 7 };
unsigned char level(void); unsigned short word(void); unsigned number(void); unsigned long size(void); signed char step(void);
_Bool ready(void); char letter(void); enum mode mode(void); void *next(void); double share(void);
int other(void), never(void);
static int first, second, third;
static void *one(void *p) { first = level() == 200 && word() == 40000 && number() == 4000000000u && size() == 1ul << 63; return p; }
static void *two(void *p) { if (step() != -5 || !ready() || letter() != 'x' || mode() != BUSY) return p; second = !next(); return p; }
static void handle(int id, unsigned code __attribute__((annotate("heddle: unknown 4000000000, 1")))) {
  int key __attribute__((annotate("heddle: unknown 3..9"))); third = key == 8 && code > 1; (void)id;
}
static void *three(void *p) { handle(0, 1); return p; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_create(&c, 0, three, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(CHECKED);
  return first == 9 ? other() + never() + (share() > 0.5) : 0;
}
"""
TYPES_SETTINGS = "unknown-externals: {default: fresh, never: stop}\n"
# what is asserted, what the message says, the line of the failure
TYPES = [
    ("!first", "level() = 200 (line 8), word() = 40000 (line 8), number() = 4000000000 (line 8), size() = 9223372036854775808 (line 8)"),
    ("!second", "step() = -5 (line 9), ready() = true (line 9), letter() = 'x' (line 9), mode() = BUSY (line 9)"),
    ("!third", "code = 4000000000 (line 10), key = 8 (line 11)"),
]
# name, text, rule, exit code of the test, what it says; each is built by the line that it prints
CASES = [
    ("race_in_c.c", RACE_C, "data-race", 66, "ThreadSanitizer: data race"),
    ("race_in_cc.cc", RACE_CC, "data-race", 66, "ThreadSanitizer: data race"),
    ("race_in_the_library.cc", IN_THE_LIBRARY_CC, "data-race", 3, "the order was forced, and nothing was reported"),
    ("deadlock_in_c.c", DEADLOCK_C, "deadlock", 1, "each waits for another"),
    ("deadlock_in_cc.cc", DEADLOCK_CC, "deadlock", 1, "each waits for another"),
    ("assertion_in_c.c", ASSERTION_C, "assertion", -6, "counter == 2"),
    ("assertion_in_cc.cc", ASSERTION_CC, "assertion", -6, "count_ >= 0"),
    ("freed.c", FREED_C, "use-after-free", 1, "AddressSanitizer: heap-use-after-free"),
    ("freed_twice.c", FREED_TWICE_C, "double-free", 1, "AddressSanitizer: attempting double-free"),
    ("null.c", NULL_C, "null-dereference", 1, "AddressSanitizer: SEGV"),
    ("returned.c", RETURNED_C, "use-after-free", 1, "AddressSanitizer: stack-use-after-return"),
    ("unwritten.c", UNWRITTEN_C, "uninitialised-read", 1, "MemorySanitizer: use-of-uninitialized-value"),
    ("past_the_end.cc", PAST_THE_END_CC, "out-of-bounds", 1, "AddressSanitizer: heap-buffer-overflow"),
]


class NativeTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="heddle-native-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {key: value for key, value in os.environ.items()
                            if key == "HEDDLE_LIBRARY_CACHE" or not key.startswith(("HEDDLE_", "TSAN_OPTIONS"))}
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
        for name, text, rule, code, words in CASES:
            with self.subTest(program=name):
                source = "made" + Path(name).suffix
                made = self.heddle("show", self.finding(name, text, rule), name, "--as-test", "--output", source, code=0)
                self.assertTrue(made.stderr == "" or code == 3, made.stderr)
                line = re.search("^// Build: (.*) TEST.cc?$", (self.folder / source).read_text(), re.MULTILINE).group(1)
                if not shutil.which(line.split()[0]): continue
                built = self.run_in_folder(*line.split(), "-Wall", "-Wextra", "-Werror", "-Wno-unknown-warning-option", "-o", "made", source)
                self.assertEqual(built.returncode, 0, built.stderr)
                (self.folder / "shared.h").unlink(missing_ok=True)   # the test is one file
                ran = self.run_in_folder("./made")
                (self.folder / "shared.h").write_text(SHARED_H)
                self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
                self.assertIn(words, ran.stdout + ran.stderr)

    # The test gives the program what fails, whatever it is started with.
    def test_it_gives_the_inputs(self):
        (self.folder / ".heddle.yaml").write_text(INPUTS_SETTINGS)
        made = self.heddle("show", self.finding("inputs.c", INPUTS_C, "assertion"), "inputs.c", "--as-test", "--output", "made.c", code=0)
        self.assertEqual(made.stderr, "")
        built = self.run_in_folder("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-attributes", "-Wno-unknown-warning-option", "-g",
                                   "-pthread", "-o", "made", "made.c")
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = self.run_in_folder("./made", "other", "arguments")
        self.assertEqual(ran.returncode, -6, ran.stdout + ran.stderr)
        self.assertIn("seen != 206", ran.stderr)

    def test_it_fills_memory(self):
        (self.folder / ".heddle.yaml").write_text(FILLED_SETTINGS)
        number = self.finding("filled.c", FILLED_C, "assertion")
        told = json.loads(self.heddle("show", number, "filled.c", "--format=jsonl", code=0).stdout.splitlines()[0])
        named = {one["name"]: one["shown"] for one in told["inputs"] if one["kind"] == "memory"}
        self.assertEqual(named.get("read_clock(), argument 1"), "-5000000000", told["inputs"])
        made = self.heddle("show", number, "filled.c", "--as-test", "--output", "made.c", code=0)
        self.assertEqual(made.stderr, "")
        built = self.run_in_folder("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-attributes", "-Wno-unknown-warning-option", "-g",
                                   "-pthread", "-o", "made", "made.c")
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = self.run_in_folder("./made")
        self.assertEqual(ran.returncode, -6, ran.stdout + ran.stderr)
        self.assertIn("seen != -5000000000", ran.stderr)

    # A C++ function by its link name; a parameter gets its value where the body begins.
    def test_it_gives_the_inputs_of_a_program_in_cc(self):
        (self.folder / ".heddle.yaml").write_text(INPUTS_SETTINGS)
        made = self.heddle("show", self.finding("inputs.cc", INPUTS_CC, "assertion"), "inputs.cc", "--as-test", "--output", "made.cc", code=0)
        self.assertEqual(made.stderr, "")
        built = self.run_in_folder("c++", "-std=c++20", "-Wall", "-Werror", "-Wno-attributes", "-Wno-unknown-attributes", "-pthread", "-o", "made",
                                   "made.cc")
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = self.run_in_folder("./made")
        self.assertEqual(ran.returncode, -6, ran.stdout + ran.stderr)
        self.assertIn("seen + most != 11", ran.stderr)

    # Values are shown as their types have them, variables by their names; natively the same assertion fails, at its own line.
    def test_values_of_every_type(self):
        (self.folder / ".heddle.yaml").write_text(TYPES_SETTINGS)
        for number, (checked, words) in enumerate(TYPES):
            with self.subTest(words=words):
                name = f"types{number}.c"
                number = self.finding(name, TYPES_C.replace("CHECKED", checked), "assertion")
                # For programs, too: the number, and what it is where its type has words for it.
                told = json.loads(self.heddle("show", number, name, "--format=jsonl", code=0).stdout.splitlines()[0])
                shown = {f'{one["name"]} = {one.get("shown", one["value"])} (line {one["line"]})' for one in told["inputs"]}
                self.assertLessEqual(set(words.split(", ")), shown)
                self.assertTrue(all(one["value"].lstrip("-").isdigit() for one in told["inputs"]), told["inputs"])
                self.assertIn(words, self.heddle("show", number, name, code=0).stdout.replace("\n", " "))
                self.assertEqual(self.heddle("show", number, name, "--as-test", "--output", "made.c", code=0).stderr, "")
                for compiler in filter(shutil.which, ("gcc", "clang")[: 2 if checked == "!third" else 1]):
                    built = self.run_in_folder(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-attributes", "-Wno-unknown-warning-option",
                                               "-pthread", "-o", "made", "made.c")
                    self.assertEqual(built.returncode, 0, built.stderr)
                    ran = self.run_in_folder("./made")
                    self.assertEqual(ran.returncode, -6, ran.stdout + ran.stderr)
                    self.assertIn(f"{name}:22: main: Assertion", ran.stderr.replace("int main(void)", "main"))

    # The same calls around the right program: the interleaving is not there, and nothing fails by the calls alone.
    def test_a_mended_program_does_not_fail(self):
        name = "assertion_in_c.c"
        made = self.heddle("show", self.finding(name, ASSERTION_C, "assertion"), name, "--as-test", code=0).stdout
        self.assertRegex(made, r"heddle_value = counter \+ 1;")
        mended = re.sub(r"\{ __typeof__.*\}", "counter++;", made)
        self.assertNotEqual(mended, made)
        (self.folder / "mended.c").write_text(mended)
        self.assertEqual(self.run_in_folder("cc", "-g", "-pthread", "-o", "mended", "mended.c").returncode, 0)
        ran = self.run_in_folder("./mended")
        self.assertEqual(ran.returncode, 3, ran.stderr)
        self.assertRegex(ran.stderr, "could not be forced|nothing was reported")

    def test_what_cannot_be_made_is_said(self):
        name = "race_in_cc.cc"
        number = self.finding(name, RACE_CC, "data-race")
        self.assertIn("excludes", self.heddle("show", number, name, "--as-test", "--schedule", code=2).stderr)
        (self.folder / name).unlink()
        (self.folder / "other.cc").write_text(RACE_CC)
        gone = self.heddle("show", number, "other.cc", "--as-test", code=2)
        self.assertIn(f"no open finding has the id '{number}'", gone.stderr)
        self.assertEqual(gone.stdout, "")


if __name__ == "__main__":
    unittest.main()
