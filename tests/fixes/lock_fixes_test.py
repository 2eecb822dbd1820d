"""Fixes of locks, variant by variant: two locks that callers name in opposite orders, and a read before its own lock."""
import unittest
from pathlib import Path

from fix_test import FixTest

ACCOUNTS = """#include <mutex>
#include <thread>
struct Account {
  std::mutex m;
  int balance = 10;
  void give(Account& to);
};
void transfer(Account& from, Account& to, int amount) {
  TAKE
  from.balance -= amount;
  to.balance += amount;
  GIVE
}
void Account::give(Account& to) {
  TAKE_OWN
  balance -= 1;
  to.balance += 1;
}
int main() {
  Account one, two;
  std::thread a([&] { CALL_ONE; });
  std::thread b([&] { CALL_TWO; });
  a.join();
  b.join();
}
"""


def accounts(take="", give="", take_own="", one="transfer(one, two, 1)", two="transfer(two, one, 2)"):
    text = ACCOUNTS
    for name, code in (("TAKE_OWN", take_own), ("TAKE", take), ("GIVE", give), ("CALL_ONE", one), ("CALL_TWO", two)):
        text = text.replace(name, code)
    return text


GUARDS = "std::lock_guard<std::mutex> a(from.m);\n  std::lock_guard<std::mutex> b(to.m);"
# what, text, options of the compiler, lines that the fix has, title
DEADLOCKS = [
    ("guards", accounts(GUARDS), [], ["+  std::scoped_lock a(from.m, to.m);"], "take 'from.m' and 'to.m' at once in transfer"),
    ("guards, unique", accounts(GUARDS.replace("lock_guard<std::mutex>", "unique_lock")), [], ["+  std::scoped_lock a(from.m, to.m);"], "at once"),
    ("a member", accounts(take_own="std::lock_guard lock(m);\n  std::lock_guard other(to.m);", one="one.give(two)", two="two.give(one)"), [],
     ["+  std::scoped_lock lock(m, to.m);"], "take 'm' and 'to.m' at once in Account::give"),
    ("before C++17", accounts(GUARDS), ["--", "-std=c++14"],
     ["+  std::lock(from.m, to.m);", "+  std::lock_guard<std::mutex> a(from.m, std::adopt_lock);",
      "+  std::lock_guard<std::mutex> b(to.m, std::adopt_lock);"], "as before C++17"),
    ("calls", accounts("from.m.lock();\n  to.m.lock();", "from.m.unlock();\n  to.m.unlock();"), [], ["+  std::lock(from.m, to.m);"], "at once"),
]
STACK = """#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *head;
static int popped;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *push(void *arg) {
  struct node *fresh = malloc(sizeof *fresh);
  pthread_mutex_lock(&m);
  fresh->next = head;
  head = fresh;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *pop(void *arg) {
  BODY
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, 0);
  pthread_create(&b, 0, pop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(head);
  return popped > 1;
}
"""
TAKE = "  struct node *first = head;\n  if (first) {\n    head = first->next;\n    popped++;\n    free(first);\n  }"
QUEUE = """#include <mutex>
#include <thread>
class Counter {
 public:
  void add() {
    std::lock_guard<std::mutex> guard(mutex_);
    ++count_;
  }
  bool take() {
    if (count_ == 0) return false;
    std::lock_guard<std::mutex> guard(mutex_);
    --count_;
    return true;
  }
 private:
  std::mutex mutex_;
  int count_ = 0;
};
int main() {
  Counter counter;
  std::thread a([&] { counter.add(); });
  std::thread b([&] { counter.take(); });
  a.join();
  b.join();
}
"""
# what, name, text, what the fixed file has
READS = [
    ("an early return", "a.c", STACK.replace("BODY", "if (!head) return arg;\n  pthread_mutex_lock(&m);\n" + TAKE),
     "  pthread_mutex_lock(&m);\n  if (!head) {\n    pthread_mutex_unlock(&m);\n    return arg;\n  }\n  struct node *first"),
    ("into a local", "a.c",
     STACK.replace("BODY", "struct node *seen = head;\n  pthread_mutex_lock(&m);\n  if (seen)\n    popped++;"),
     "  pthread_mutex_lock(&m);\n  struct node *seen = head;\n  if (seen)"),
    ("a guard", "a.cc", QUEUE, "    std::lock_guard<std::mutex> guard(mutex_);\n    if (count_ == 0) return false;\n    --count_;"),
    ("a lock in a block", "a.cc", QUEUE.replace("--count_;", "if (count_ > 0) { --count_; }"),
     "    std::lock_guard<std::mutex> guard(mutex_);\n    if (count_ == 0) return false;\n    if (count_ > 0)"),
]


class LockFixes(FixTest):
    def test_two_locks_that_callers_name_in_opposite_orders(self):
        file = self.file.with_suffix(".cc")
        for what, text, options, lines, title in DEADLOCKS:
            with self.subTest(program=what):
                file.write_text(text)
                run = self.fix("a.cc", *options)
                self.assertIn(title, run.stdout)
                self.assertIn("\n  proved: ", run.stdout)
                for line in lines:
                    self.assertIn(line + "\n", run.stdout)
                self.fix("--apply", "a.cc", *options)
                self.heddle("check", "--no-daemon", "--full", "a.cc", *options)

    def test_a_title_names_locks_apart(self):
        self.file.with_suffix(".cc").write_text(accounts(GUARDS))
        listed = self.fix("--list", "a.cc").stdout
        self.assertIn("lock 'to.m' before 'from.m' in transfer", listed)
        self.assertNotIn("'m' before 'm'", listed)

    def test_a_read_before_its_own_lock(self):
        for what, name, text, fixed in READS:
            with self.subTest(program=what):
                file = Path(self.file.parent, name)
                file.write_text(text)
                run = self.fix(name)
                self.assertIn("earlier, so that it covers", run.stdout)
                self.fix("--apply", name)
                self.assertIn(fixed, file.read_text())
                self.heddle("check", "--no-daemon", "--full", name)


if __name__ == "__main__":
    unittest.main()
