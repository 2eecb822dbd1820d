// Loops that change nothing wait for what they read: every schedule ends, whatever it prefers.
#include <gtest/gtest.h>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

struct Case {
  const char* name;
  const char* globals;
  const char* waiter;
  const char* setter;
  bool stuck;  // nobody will ever end the wait
};

const Case kCases[] = {
    {"atomic_flag", "atomic_int f;", "while (!f);", "f = 1;", false},
    {"atomic_never", "atomic_int f;", "while (!f);", "f = 0;", true},
    {"two_locations", "atomic_int f, g;", "while (!f || !g);", "f = 1; g = 1;", false},
    {"call_in_loop", "atomic_int f; int get(void) { return atomic_load(&f); }", "while (get() != 2) sched_yield();",
     "f = 1; f = 2;", false},
    {"compare_exchange", "atomic_int f = 1;", "int e; do e = 0; while (!atomic_compare_exchange_weak(&f, &e, 1));",
     "f = 0;", false},
    {"test_and_set", "atomic_flag f = ATOMIC_FLAG_INIT; int x;",
     "while (atomic_flag_test_and_set(&f)); x++; atomic_flag_clear(&f);",
     "while (atomic_flag_test_and_set(&f)); x++; atomic_flag_clear(&f);", false},
    {"try_lock", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;",
     "while (pthread_mutex_trylock(&m)) usleep(1); x++; pthread_mutex_unlock(&m);",
     "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", false},
    {"poll_under_lock", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;",
     "for (int d = 0; !d;) { pthread_mutex_lock(&m); d = x; pthread_mutex_unlock(&m); }",
     "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", false},
    {"poll_two_locks", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x;",
     "for (int d = 0; !d;) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); d = x; pthread_mutex_unlock(&n); "
     "pthread_mutex_unlock(&m); }",
     "pthread_mutex_lock(&n); x = 1; pthread_mutex_unlock(&n);", false},
    {"poll_never", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;",
     "for (int d = 0; !d;) { pthread_mutex_lock(&m); d = x; pthread_mutex_unlock(&m); }",
     "pthread_mutex_lock(&m); x = 0; pthread_mutex_unlock(&m);", true},
    {"timed_wait", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;",
     "struct timespec t = {0, 0}; pthread_mutex_lock(&m); while (!x) pthread_cond_timedwait(&c, &m, &t); "
     "pthread_mutex_unlock(&m);",
     "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);", false},
    {"try_semaphore", "sem_t s; __attribute__((constructor)) static void set_up(void) { sem_init(&s, 0, 0); }",
     "while (sem_trywait(&s)) sched_yield();", "sem_post(&s);", false},
    {"read_lock_poll", "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;",
     "for (int d = 0; !d;) { pthread_rwlock_rdlock(&l); d = x; pthread_rwlock_unlock(&l); }",
     "pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l);", false},
    {"plain_flag", "int f;", "while (!*(volatile int *)&f);", "f = 1;", false},
    {"plain_never", "volatile int f;", "while (!f);", "f = 0;", true},
    {"counting_is_no_spin", "atomic_int f;", "for (int n = 0; n < 50; n++) (void)f;", "f = 1;", false},
    {"double_wait", "atomic_int f, g;", "while (!f); g = 1;", "f = 1; while (!g);", false},
};

class Spins : public testing::TestWithParam<Case> {};

TEST_P(Spins, EndOrAreStuck) {
  const Case& c = GetParam();
  const std::string text = std::string(
                               "#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include "
                               "<stdatomic.h>\n#include <time.h>\n#include <unistd.h>\n") +
                           c.globals + "\nvoid *wait_for(void *a) { " + c.waiter +
                           " return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, wait_for, 0); " +
                           c.setter + " pthread_join(t, 0); return 0; }\n";
  const ImagePtr image = image_of(text);
  Machine m(image, {});
  const Mark start = m.mark();
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const std::vector<Step> taken = run(m, seed, 2000);
    EXPECT_LT(taken.size(), 2000u) << "seed " << seed << "\n" << text;
    EXPECT_EQ(m.outcome(), c.stuck ? Outcome::Running : Outcome::Finished) << "seed " << seed << "\n" << text;
    for (const Fault& fault : m.faults()) EXPECT_EQ(fault.kind, FaultKind::DataRace) << fault.message;
    if (HasFailure()) return;
    m.rewind(start);
  }
}

// The worst schedule prefers the thread that spins: few operations, all the same.
TEST_P(Spins, RunShortWhenPreferred) {
  const Case& c = GetParam();
  const std::string text = std::string(
                               "#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include "
                               "<stdatomic.h>\n#include <time.h>\n#include <unistd.h>\n") +
                           c.globals + "\nvoid *wait_for(void *a) { " + c.waiter +
                           " return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, wait_for, 0); " +
                           c.setter + " pthread_join(t, 0); return 0; }\n";
  Machine m(image_of(text), {});
  uint32_t steps = 0;
  for (; steps < 300; ++steps) {
    const std::vector<Step> possible = choices(m);
    if (possible.empty()) break;
    step(m, possible.back());
  }
  EXPECT_LT(steps, 100u) << text;
}

// More locations than are watched one by one: what was read first may change before the others are.
TEST(SpinsOverMany, NoChangeIsMissed) {
  const std::string names = "abcdefghijkl";
  for (size_t count = 5; count <= names.size(); ++count) {
    std::string globals = "first", sum = "0";
    for (const char name : names.substr(0, count))
      globals += std::string(", ") + name, sum += std::string(" + ") + name;
    Machine m(
        image_of("#include <pthread.h>\n#include <stdatomic.h>\natomic_int " + globals +
                 ";\nvoid *wait_for(void *p) { while (!first) if (" + sum +
                 ") break; return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, wait_for, 0); first = 1; "
                 "pthread_join(t, 0); return 0; }\n"),
        {});
    const Mark start = m.mark();
    for (uint32_t waits = 0; waits < 60; ++waits) {
      for (uint32_t n = 0; m.outcome() == Outcome::Running && n < 2000; ++n) {
        const std::vector<Step> possible = choices(m);
        if (possible.empty()) break;
        const bool waiter = n > 0 && n <= waits;  // the setter waits until then
        step(m, waiter ? possible.back() : possible.front());
      }
      EXPECT_EQ(m.outcome(), Outcome::Finished) << count << " locations, set after " << waits << " operations";
      m.rewind(start);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Loops, Spins, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::machine::test
