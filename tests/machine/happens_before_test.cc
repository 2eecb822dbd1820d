// Which synchronisation orders what: a plain message in `data`, published in some way, is read if the reader saw it.
// The expectation is the one of C17 5.1.2.4, worked out by hand.
#include <gtest/gtest.h>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

struct Case {
  const char* name;
  const char* globals;
  const char* sender;
  const char* receiver;  // after it, `seen` says whether the message may be read
  bool races;
};

const Case kCases[] = {
    {"release_acquire", "atomic_int f;", "data = 1; atomic_store_explicit(&f, 1, memory_order_release);",
     "seen = atomic_load_explicit(&f, memory_order_acquire);", false},
    {"relaxed_store", "atomic_int f;", "data = 1; atomic_store_explicit(&f, 1, memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_acquire);", true},
    {"relaxed_load", "atomic_int f;", "data = 1; atomic_store_explicit(&f, 1, memory_order_release);",
     "seen = atomic_load_explicit(&f, memory_order_relaxed);", true},
    {"sequentially_consistent", "atomic_int f;", "data = 1; f = 1;", "seen = f;", false},
    {"consume", "atomic_int f;", "data = 1; atomic_store_explicit(&f, 1, memory_order_release);",
     "seen = atomic_load_explicit(&f, memory_order_consume);", false},
    {"release_fence", "atomic_int f;",
     "data = 1; atomic_thread_fence(memory_order_release); atomic_store_explicit(&f, 1, memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_acquire);", false},
    {"acquire_fence", "atomic_int f;", "data = 1; atomic_store_explicit(&f, 1, memory_order_release);",
     "seen = atomic_load_explicit(&f, memory_order_relaxed); atomic_thread_fence(memory_order_acquire);", false},
    {"two_fences", "atomic_int f;",
     "data = 1; atomic_thread_fence(memory_order_seq_cst); atomic_store_explicit(&f, 1, memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst);", false},
    {"fence_too_early", "atomic_int f;",
     "atomic_thread_fence(memory_order_release); data = 1; atomic_store_explicit(&f, 1, memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_acquire);", true},
    {"fence_before_load", "atomic_int f;", "data = 1; atomic_store_explicit(&f, 1, memory_order_release);",
     "atomic_thread_fence(memory_order_acquire); seen = atomic_load_explicit(&f, memory_order_relaxed);", true},
    {"signal_fence", "atomic_int f;",
     "data = 1; atomic_signal_fence(memory_order_seq_cst); atomic_store_explicit(&f, 1, memory_order_relaxed);",
     "seen = f;", true},
    {"relaxed_store_of_the_same_thread_continues_the_sequence_until_c17", "atomic_int f;",
     "data = 1; atomic_store_explicit(&f, 1, memory_order_release); atomic_store_explicit(&f, 2, "
     "memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_acquire) == 2;", false},
    {"relaxed_update_continues_it", "atomic_int f;",
     "data = 1; atomic_store_explicit(&f, 1, memory_order_release); atomic_fetch_add_explicit(&f, 1, "
     "memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_acquire) == 2;", false},
    {"update_releases", "atomic_int f;", "data = 1; atomic_fetch_add_explicit(&f, 1, memory_order_release);",
     "seen = atomic_load_explicit(&f, memory_order_acquire);", false},
    {"relaxed_update", "atomic_int f;", "data = 1; atomic_fetch_add_explicit(&f, 1, memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_acquire);", true},
    {"exchange_acquires", "atomic_int f;", "data = 1; atomic_store_explicit(&f, 1, memory_order_release);",
     "seen = atomic_exchange_explicit(&f, 0, memory_order_acquire);", false},
    {"failed_compare_exchange_relaxed", "atomic_int f;", "data = 1; f = 1;",
     "int e = 0; seen = !atomic_compare_exchange_strong_explicit(&f, &e, 0, memory_order_acquire, "
     "memory_order_relaxed);",
     true},
    {"failed_compare_exchange_acquires", "atomic_int f;", "data = 1; f = 1;",
     "int e = 0; seen = !atomic_compare_exchange_strong_explicit(&f, &e, 0, memory_order_acquire, "
     "memory_order_acquire);",
     false},
    {"other_location", "atomic_int f, g;",
     "data = 1; atomic_store_explicit(&g, 1, memory_order_release); atomic_store_explicit(&f, 1, "
     "memory_order_relaxed);",
     "seen = atomic_load_explicit(&f, memory_order_acquire);", true},
    {"mutex", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int f;",
     "pthread_mutex_lock(&m); data = 1; f = 1; pthread_mutex_unlock(&m);",
     "pthread_mutex_lock(&m); seen = f; pthread_mutex_unlock(&m);", false},
    {"write_before_the_lock", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int f;",
     "data = 1; pthread_mutex_lock(&m); f = 1; pthread_mutex_unlock(&m);",
     "pthread_mutex_lock(&m); seen = f; pthread_mutex_unlock(&m);", false},
    {"write_after_the_unlock", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int f;",
     "pthread_mutex_lock(&m); f = 1; pthread_mutex_unlock(&m); data = 1;",
     "pthread_mutex_lock(&m); seen = f; pthread_mutex_unlock(&m);", true},
    {"two_mutexes", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; atomic_int f;",
     "pthread_mutex_lock(&m); data = 1; atomic_store_explicit(&f, 1, memory_order_relaxed); pthread_mutex_unlock(&m);",
     "pthread_mutex_lock(&n); seen = atomic_load_explicit(&f, memory_order_relaxed); pthread_mutex_unlock(&n);", true},
    {"try_lock", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int f;",
     "pthread_mutex_lock(&m); data = 1; f = 1; pthread_mutex_unlock(&m);",
     "if (pthread_mutex_trylock(&m) == 0) { seen = f; pthread_mutex_unlock(&m); }", false},
    {"failed_try_lock", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", "data = 1; pthread_mutex_lock(&m);",
     "seen = pthread_mutex_trylock(&m) != 0;", true},
    {"writer_to_reader", "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int f;",
     "pthread_rwlock_wrlock(&l); data = f = 1; pthread_rwlock_unlock(&l);",
     "pthread_rwlock_rdlock(&l); seen = f; pthread_rwlock_unlock(&l);", false},
    {"reader_to_writer", "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; atomic_int f;",
     "pthread_rwlock_rdlock(&l); data = 1; atomic_store_explicit(&f, 1, memory_order_relaxed); "
     "pthread_rwlock_unlock(&l);",
     "pthread_rwlock_wrlock(&l); seen = atomic_load_explicit(&f, memory_order_relaxed); pthread_rwlock_unlock(&l);",
     false},
    {"reader_to_reader", "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; atomic_int f;",
     "pthread_rwlock_rdlock(&l); data = 1; atomic_store_explicit(&f, 1, memory_order_relaxed); "
     "pthread_rwlock_unlock(&l);",
     "pthread_rwlock_rdlock(&l); seen = atomic_load_explicit(&f, memory_order_relaxed); pthread_rwlock_unlock(&l);",
     true},
    {"semaphore", "sem_t s; __attribute__((constructor)) static void set_up(void) { sem_init(&s, 0, 0); }",
     "data = 1; sem_post(&s);", "sem_wait(&s); seen = 1;", false},
    {"post_too_early", "sem_t s; __attribute__((constructor)) static void set_up(void) { sem_init(&s, 0, 0); }",
     "sem_post(&s); data = 1;", "sem_wait(&s); seen = 1;", true},
    {"signal_alone",
     "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; atomic_int w;",
     "while (!atomic_load_explicit(&w, memory_order_relaxed)); data = 1; pthread_cond_signal(&c);",
     "pthread_mutex_lock(&m); atomic_store_explicit(&w, 1, memory_order_relaxed); struct timespec t = {0, 0}; seen = "
     "pthread_cond_timedwait(&c, &m, &t) == 0; pthread_mutex_unlock(&m);",
     true},
    {"spin_lock", "pthread_spinlock_t l; int f;", "pthread_spin_lock(&l); data = f = 1; pthread_spin_unlock(&l);",
     "pthread_spin_lock(&l); seen = f; pthread_spin_unlock(&l);", false},
    {"barrier", "pthread_barrier_t b;", "data = 1; pthread_barrier_wait(&b);", "pthread_barrier_wait(&b); seen = 1;",
     false},
    {"once", "pthread_once_t o = PTHREAD_ONCE_INIT; int f; void init(void) { f = ++data; }", "pthread_once(&o, init);",
     "pthread_once(&o, init); seen = f;", false},
    {"volatile", "volatile int f;", "data = 1; f = 1;", "seen = f;", true},
    {"mixed", "int f;", "data = 1; __atomic_store_n(&f, 1, __ATOMIC_SEQ_CST);", "seen = f;", true},
    {"neighbours", "struct { char a, b; } f;", "f.a = 1;", "f.b = 1;", false},
    {"overlap", "union { int w; char b[4]; } f;", "f.w = 1;", "f.b[3] = 1;", true},
    {"bit_fields", "struct { int a : 4, b : 4; } f;", "f.a = 1;", "f.b = 1;", true},
    {"copy", "int a[8], b[8];", "memcpy(a, b, sizeof a);", "a[7] = 1;", true},
    {"copy_beside", "int a[8], b[8];", "memcpy(a, b, 28);", "a[7] = 1;", false},
    {"freed", "int *p;", "*p = 2;", "free(p);", true},
};

class Orders : public testing::TestWithParam<Case> {};

TEST_P(Orders, RaceExactlyWhenUnordered) {
  const Case& c = GetParam();
  const std::string text =
      std::string(
          "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include "
          "<string.h>\n#include <time.h>\nint data;\n") +
      c.globals + "\nvoid *send(void *unused) { " + c.sender +
      " return 0; }\nvoid *receive(void *unused) { int seen = 0; " + c.receiver +
      " if (seen) return (void *)(long)data; return 0; }\nint main(void) { pthread_t x, y;" +
      (std::string(c.name) == "semaphore" || std::string(c.name) == "post_too_early" ? " sem_init(&s, 0, 0);" : "") +
      (std::string(c.name) == "spin_lock" ? " pthread_spin_init(&l, 0);" : "") +
      (std::string(c.name) == "barrier" ? " pthread_barrier_init(&b, 0, 2);" : "") +
      (std::string(c.name) == "freed" ? " p = malloc(4);" : "") +
      " pthread_create(&x, 0, send, 0); pthread_create(&y, 0, receive, 0); pthread_join(x, 0); pthread_join(y, 0); "
      "return 0; }\n";
  EXPECT_EQ(ever_faults(image_of(text), FaultKind::DataRace), c.races) << text;
  EXPECT_EQ(ever_faults(image_of(text, false), FaultKind::DataRace), c.races) << "without facts: " << text;
}

INSTANTIATE_TEST_SUITE_P(Memory, Orders, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(HappensBefore, CreateAndJoinOrder) {
  const ImagePtr image = image_of(
      "#include <pthread.h>\nint a, b;\nvoid *w(void *p) { b = a; return 0; }\n"
      "int main(void) { pthread_t t; a = 1; pthread_create(&t, 0, w, 0); pthread_join(t, 0); b++; return b; }\n");
  EXPECT_FALSE(ever_faults(image, FaultKind::DataRace, 20));
}

TEST(HappensBefore, OrderedBeforeCountsEvents) {
  const ImagePtr image = image_of(
      "#include <pthread.h>\n#include <stdatomic.h>\natomic_int f, g;\n"
      "void *w(void *p) { atomic_store_explicit(&g, 1, memory_order_relaxed); atomic_store_explicit(&f, 1, "
      "memory_order_release); return 0; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); (void)atomic_load_explicit(&f, "
      "memory_order_acquire); pthread_join(t, 0); return g; }\n");
  Machine m(image, {});
  run_in_order(m, {"main"});
  EXPECT_TRUE(m.ordered_before(ThreadId(0), 1, ThreadId(1)));  // its creation
  run_in_order(m, {"worker 1", "worker 1"});
  EXPECT_EQ(m.event_count(ThreadId(1)), 2u);
  EXPECT_FALSE(m.ordered_before(ThreadId(1), 1, ThreadId(0)));
  run_in_order(m, {"main"});
  EXPECT_TRUE(m.ordered_before(ThreadId(1), 2, ThreadId(0)));
  EXPECT_FALSE(m.ordered_before(ThreadId(1), 3, ThreadId(0)));
  run_in_order(m, {"worker 1", "main"});
  EXPECT_TRUE(m.ordered_before(ThreadId(1), 3, ThreadId(0)));  // its end
}

TEST(HappensBefore, RaceNamesBothPlaces) {
  const ImagePtr image = image_of(
      "#include <pthread.h>\nstruct q { int head, tail[3]; } queue;\n"
      "void *w(void *p) {\n  queue.tail[1] = 1;\n  return 0;\n}\n"
      "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, w, 0);\n  int x = queue.tail[1];\n  pthread_join(t, "
      "0);\n  return x;\n}\n");
  Machine m(image, {});
  run(m, 0);
  const Fault* race = find_fault(m, FaultKind::DataRace);
  ASSERT_NE(race, nullptr);
  EXPECT_EQ(race->subject, "queue.tail[1]");
  ASSERT_EQ(race->places.size(), 2u);
  EXPECT_EQ(line_of(m, race->places[0].at) + line_of(m, race->places[1].at), 4u + 10u);
  EXPECT_EQ(m.outcome(), Outcome::Finished);
}

TEST(HappensBefore, AMillionAccessesAreOneRace) {
  const ImagePtr image = image_of(
      "#include <pthread.h>\nint v[64];\nvoid *w(void *p) { for (int i = 0; i < 100000; i++) v[i % 64]++; return 0; }\n"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); "
      "pthread_join(b, 0); return 0; }\n");
  Machine m(image, {});
  run(m, 1);
  EXPECT_LE(m.faults().size(), 4u);
  EXPECT_TRUE(has_fault(m, FaultKind::DataRace));
}

}  // namespace
}  // namespace heddle::machine::test
