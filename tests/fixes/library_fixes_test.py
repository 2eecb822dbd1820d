"""Fixes of calls of a library, of locks made of words, and of threads that have to come one after the other."""
import unittest

from fix_test import FixTest

C_MAIN = """int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
TIMED = """#include <threads.h>
#include <time.h>
static mtx_t m;
static int first(void *arg) {
  const struct timespec until = {0, 0};
  if (mtx_timedlock(&m, &until) == thrd_success) mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, first, 0);
  thrd_join(t, 0);
  return 0;
}
"""
ATTRIBUTE = """#include <pthread.h>
static void *work(void *arg) { return arg; }
int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
  pthread_create(&t, &attributes, work, 0);
  pthread_join(t, 0);
  return 0;
}
"""
SEMAPHORE = """#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static sem_t *done;
static void *work(void *arg) { sem_post(done); return arg; }
int main(void) {
  pthread_t t;
  sem_t ready;
  done = &ready;
  pthread_create(&t, 0, work, 0);
  sem_wait(&ready);
  pthread_join(t, 0);
  return 0;
}
"""
COPY = """#include <pthread.h>
#include <string.h>
static char line[32] = "name:value";
static void *work(void *arg) {
  COPIES
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
"""
EMPTIED = """#include <deque>
#include <mutex>
#include <thread>
struct Jobs {
  std::mutex m;
  std::deque<int> waiting = {1};
  void drop() {
    const std::lock_guard lock(m);
    waiting.pop_front();
  }
};
int main() {
  Jobs jobs;
  std::thread other([&] { jobs.drop(); });
  jobs.drop();
  other.join();
}
"""
CANCELLED = """#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  puts("working");
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
"""
THROWS = """#include <mutex>
#include <stdexcept>
#include <thread>
static std::mutex guard;
static int served;
static void serve(int number) {
  guard.lock();
  if (number < 0) throw std::runtime_error("negative");
  served++;
  guard.unlock();
}
int main() {
  std::thread other([] {
    try {
      serve(-1);
    } catch (const std::exception&) {
    }
  });
  other.join();
  serve(1);
}
"""
SPIN = """#include <pthread.h>
#include <stdatomic.h>
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int closed;
static void take(void) {
  while (atomic_flag_test_and_set(&busy)) {}
}
static void *first(void *arg) {
  take();
  if (!closed) return arg;
  atomic_flag_clear(&busy);
  return arg;
}
static void *second(void *arg) {
  take();
  atomic_flag_clear(&busy);
  return arg;
}
""" + C_MAIN
ORDER = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int steps[2], length;
static void *first(void *arg) {
  steps[atomic_fetch_add(&length, 1)] = 1;
  return arg;
}
static void *second(void *arg) {
  steps[atomic_fetch_add(&length, 1)] = 2;
  return arg;
}
""" + C_MAIN.replace("  return 0;", "  assert(steps[0] == 1);\n  return 0;")
MEMBER = """#include <pthread.h>
#include <string.h>
struct record { char name[3]; char kind; };
static void *work(void *arg) {
  struct record r = {{0}, 7};
  strcpy(r.name, "abc");
  return r.kind == 7 ? arg : NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
"""
OWN = """#include <pthread.h>
static _Thread_local int mine = 7;
static void *lend(void *arg) { return &mine; }
int main(void) {
  pthread_t t;
  void *lent;
  pthread_create(&t, 0, lend, 0);
  pthread_join(t, &lent);
  return *(int *)lent == 7 ? 0 : 1;
}
"""
FULL = """#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void put(void) {
  pthread_mutex_lock(&m);
  if (count <= 1) count++;
  pthread_mutex_unlock(&m);
}
static void *first(void *arg) { put(); return arg; }
static void *second(void *arg) { put(); return arg; }
""" + C_MAIN.replace("  return 0;", "  assert(count <= 1);\n  return 0;")
DIVIDED = """#include <pthread.h>
#include <stdlib.h>
static int rows;
static void *work(void *arg) {
  const div_t part = div(100, rows);
  return part.quot > 100 ? arg : NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
"""
# what, name of the file, text, title, a line that the fix adds
PROGRAMS = [
    ("a plain lock that is waited for in time", "a.c", TIMED, "initialise the lock with mtx_timed", "+  mtx_init(&m, mtx_timed);"),
    ("attributes", "a.c", ATTRIBUTE, "initialise 'attributes': pthread_attr_init(&attributes)", "+  pthread_attr_init(&attributes);"),
    ("a semaphore", "a.c", SEMAPHORE, "initialise 'ready': sem_init(&ready, 0, 0)", "+  sem_init(&ready, 0, 0);"),
    ("memcpy within a line", "a.c", COPY.replace("COPIES", "memcpy(line + 1, line, 10);"), "copy with memmove", "+  memmove(line + 1, line, 10);"),
    ("strcpy within a line", "a.c", COPY.replace("COPIES", "strcpy(line, line + 5);"), "copy with memmove",
     "+  memmove(line, line + 5, strlen(line + 5) + 1);"),
    ("an emptied container", "a.cc", EMPTIED, "only if !waiting.empty()", "+    if (!waiting.empty()) waiting.pop_front();"),
    ("a cancelled thread", "a.c", CANCELLED, "by a cleanup handler", "+  pthread_cleanup_pop(1);"),
    ("an exception, and a lock named guard", "a.cc", THROWS, "let a guard release 'guard'", "+  std::lock_guard guard2(guard);"),
    ("a lock of a flag", "a.c", SPIN, "give 'busy' back at every exit of first", "+    atomic_flag_clear(&busy);"),
    ("threads in an order", "a.c", ORDER, "join each thread before the next one is started", None),
    ("a member", "a.c", MEMBER, "one element more", "+struct record { char name[4]; char kind; };"),
    ("what only its thread has", "a.c", OWN, "let all threads share 'mine'", "+static int mine = 7;"),
    ("one too many", "a.c", FULL, "exclude the equal case of '<=' in put", "+  if (count < 1) count++;"),
    ("div()", "a.c", DIVIDED, "only if rows != 0", "+  if (!(rows != 0)) return NULL;"),
]


class LibraryFixes(FixTest):
    def test_each(self):
        for what, name, text, title, line in PROGRAMS:
            with self.subTest(program=what):
                file = self.file.with_name(name)
                file.write_text(text)
                listed = self.fix("--list", name)
                self.assertIn(title, listed.stdout, listed.stdout)
                run = self.fix(name)
                self.assertIn("\n  proved: ", run.stdout)
                if line:
                    self.assertIn(line + "\n", run.stdout)
                found = next(line["id"] for line in self.lines(name) if line["type"] == "fixes" and line["proved"])
                self.fix("--apply", found)
                self.heddle("check", "--no-daemon", "--full", name)
                file.unlink()


if __name__ == "__main__":
    unittest.main()
