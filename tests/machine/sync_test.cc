// What is possible when: blocking, alternatives, codes, and fingerprints of states reached on two ways.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/machine/fixture.h"

namespace heddle::machine::test {
namespace {

const std::string kHead =
    "#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include "
    "<stdlib.h>\n#include <time.h>\n";

ThreadId thread_named(const Machine& m, const std::string& name) {
  for (uint32_t n = 0; n < m.thread_count(); ++n)
    if (m.thread_name(ThreadId(n)) == name) return ThreadId(n);
  return ThreadId::none();
}

// Exit codes over all interleavings, by plain depth-first search.
void search(Machine& m, std::map<int, int>& exits, int& stuck) {
  const std::vector<Step> possible = choices(m);
  if (possible.empty()) {
    if (m.outcome() == Outcome::Running)
      ++stuck;
    else
      ++exits[m.outcome() == Outcome::Finished ? m.exit_code() : -1];
    return;
  }
  for (const Step& s : possible) {
    const Mark here = m.mark();
    step(m, s);
    search(m, exits, stuck);
    m.rewind(here);
  }
}

struct Result {
  std::map<int, int> exits;
  int stuck = 0;
};

Result all_interleavings(const std::string& text) {
  Machine m(image_of(kHead + text), {});
  Result result;
  search(m, result.exits, result.stuck);
  return result;
}

TEST(Sync, IndependentThreadsHaveTheirOwnFormula) {
  // Two threads of two operations and their end, after both were created: (3 + 3)! / (3! 3!) orders, then two joins
  // that come in any place behind; counted with the main thread's operations free to move.
  const Result r = all_interleavings(
      "atomic_int a, b; void *f(void *p) { a++; if (p) b++; return 0; } int main(void) { pthread_t t; "
      "pthread_create(&t, 0, f, 0); "
      "b++; pthread_join(t, 0); return a + b; }");
  // main: b++, join, read a, read b, exit; thread: a++, exit. Join waits for the thread's exit.
  EXPECT_EQ(r.exits.size(), 1u);
  EXPECT_EQ(r.exits.begin()->first, 2);
  EXPECT_EQ(r.exits.begin()->second, 3);  // places of b++ among the thread's two operations
  EXPECT_EQ(r.stuck, 0);
}

TEST(Sync, AtomicsOfOneThreadAreNoSchedulingPoints) {
  const Result r = all_interleavings(
      "atomic_int a, b; void *f(void *p) { a++; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); "
      "b++; pthread_join(t, 0); return a + b; }");
  EXPECT_EQ(r.exits.size(), 1u);
  EXPECT_EQ(r.exits.begin()->first, 2);
  EXPECT_EQ(r.exits.begin()->second, 1);
}

TEST(Sync, LostUpdateNeedsTheRightOrder) {
  const Result r = all_interleavings(
      "atomic_int x; void *f(void *p) { int v = x; x = v + 1; return 0; } int main(void) { pthread_t t; "
      "pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); return x; }");
  ASSERT_EQ(r.exits.size(), 2u);
  EXPECT_GT(r.exits.at(1), 0);
  EXPECT_GT(r.exits.at(2), 0);
}

TEST(Sync, SignalWakesOneOfTheWaiters) {
  const ImagePtr image =
      image_of(kHead +
               "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int go;\n"
               "void *f(void *p) { pthread_mutex_lock(&m); while (!go) pthread_cond_wait(&c, &m); go--; "
               "pthread_mutex_unlock(&m); return 0; }\n"
               "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); "
               "pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(a, 0); "
               "return 0; }\n");
  Machine m(image, {});
  run_in_order(m, {"main", "main", "worker 1", "worker 1", "worker 2", "worker 2", "main"});
  const ThreadId main = thread_named(m, "main");
  ASSERT_EQ(m.pending(main).kind, OperationKind::Signal);
  EXPECT_EQ(m.pending(main).alternatives, 2u);
  const Mark here = m.mark();
  for (uint32_t chosen = 0; chosen < 2; ++chosen) {
    m.perform(main, chosen);
    EXPECT_FALSE(m.enabled(thread_named(m, "worker 1")));  // the mutex is held
    m.perform(main);
    EXPECT_EQ(m.enabled(thread_named(m, "worker 1")), chosen == 0);
    EXPECT_EQ(m.enabled(thread_named(m, "worker 2")), chosen == 1);
    EXPECT_EQ(m.pending(thread_named(m, "worker 1")).kind, OperationKind::Wake);
    m.rewind(here);
  }
}

TEST(Sync, RelockOfANormalMutexBlocksForEver) {
  const Result r = all_interleavings(
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); "
      "return 0; }");
  EXPECT_TRUE(r.exits.empty());
  EXPECT_EQ(r.stuck, 1);
}

TEST(Sync, TwoLocksInTwoOrders) {
  const Result r = all_interleavings(
      "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;"
      "void *f(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); "
      "pthread_mutex_unlock(&b); return 0; }"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&a); pthread_mutex_lock(&b); "
      "pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); pthread_join(t, 0); return 0; }");
  EXPECT_GT(r.stuck, 0);
  EXPECT_GT(r.exits.at(0), 0);
}

TEST(Sync, TimedLockMayTimeOutWhileHeld) {
  const Result r = all_interleavings(
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int timed_out;"
      "void *f(void *p) { struct timespec t = {0, 0}; if (pthread_mutex_timedlock(&m, &t) == ETIMEDOUT) return (void "
      "*)1; pthread_mutex_unlock(&m); return 0; }"
      "int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); "
      "pthread_mutex_unlock(&m); pthread_join(t, &r); return r != 0; }");
  EXPECT_GT(r.exits.at(0), 0);
  EXPECT_GT(r.exits.at(1), 0);
  EXPECT_EQ(r.stuck, 0);
}

TEST(Sync, ReadersShareAndWritersDoNot) {
  const ImagePtr image = image_of(
      kHead +
      "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; void *r(void *p) { pthread_rwlock_rdlock(&l); "
      "pthread_rwlock_unlock(&l); return 0; } void *w(void *p) { pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); "
      "return 0; }\n"
      "int main(void) { pthread_t a, b, c; pthread_create(&a, 0, r, 0); pthread_create(&b, 0, r, 0); "
      "pthread_create(&c, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }\n");
  Machine m(image, {});
  run_in_order(m, {"main", "main", "main", "worker 1", "worker 2"});
  EXPECT_EQ(m.status(thread_named(m, "worker 3")), ThreadStatus::Blocked);
  EXPECT_EQ(m.locks_held(thread_named(m, "worker 2")).size(), 1u);
  run_in_order(m, {"worker 1"});
  EXPECT_EQ(m.status(thread_named(m, "worker 3")), ThreadStatus::Blocked);
  run_in_order(m, {"worker 2", "worker 3"});
  EXPECT_EQ(m.lock_owner(m.locks_held(thread_named(m, "worker 3")).at(0)), thread_named(m, "worker 3"));
}

TEST(Sync, OnceRunsOnceAndTheOthersWait) {
  const Result r = all_interleavings(
      "pthread_once_t o = PTHREAD_ONCE_INIT; int runs; atomic_int early; void init(void) { atomic_load(&early); "
      "runs++; }"
      "void *f(void *p) { pthread_once(&o, init); return (void *)(long)runs; }"
      "int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, 0); long mine = (long)f(0); pthread_join(t, "
      "&r); return (int)(mine * 10 + (long)r); }");
  EXPECT_EQ(r.exits.size(), 1u);
  EXPECT_EQ(r.exits.begin()->first, 11);
  EXPECT_EQ(r.stuck, 0);
}

TEST(Sync, BarrierNeedsAll) {
  const Result r = all_interleavings(
      "pthread_barrier_t b; void *f(void *p) { return (void *)(long)(pthread_barrier_wait(&b) == "
      "PTHREAD_BARRIER_SERIAL_THREAD); }"
      "int main(void) { pthread_t t; void *r; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, f, 0); long mine = "
      "(long)f(0); pthread_join(t, &r); return (int)(mine + (long)r); }");
  EXPECT_EQ(r.exits.size(), 1u);
  EXPECT_EQ(r.exits.begin()->first, 1);
  EXPECT_EQ(r.stuck, 0);
}

// Operations of different threads on different objects commute: whatever the order, the states between agree.
TEST(Fingerprint, DoesNotDependOnTheOrderOfIndependentOperations) {
  const ImagePtr image = image_of(
      kHead +
      "struct s { int v; pthread_mutex_t m; atomic_int a; } s[2];\n"
      "static int step(struct s *x, int n) { int local[3] = {n, n, n}; pthread_mutex_lock(&x->m); x->v += local[n]; "
      "pthread_mutex_unlock(&x->m); return x->a += n; }\n"
      "void *f(void *p) { struct s *x = p; int *h = malloc(8); h[0] = 0; for (int i = 0; i < 3; i++) h[0] += step(x, "
      "i); int r = h[0]; free(h); return (void *)(long)r; }\n"
      "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) { pthread_mutex_init(&s[i].m, 0); "
      "pthread_create(&t[i], 0, f, &s[i]); } for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }\n");
  // State by how far each thread is -> fingerprints seen there.
  std::map<std::pair<uint32_t, uint32_t>, std::set<std::pair<uint64_t, uint64_t>>> seen;
  Machine m(image, {});
  run_in_order(m, {"main", "main", "main", "main"});
  ASSERT_EQ(m.thread_count(), 3u);
  const Mark start = m.mark();
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random(seed);
    while (m.enabled(ThreadId(1)) || m.enabled(ThreadId(2))) {
      const ThreadId next(1 + static_cast<uint32_t>(random() % 2));
      if (!m.enabled(next)) continue;
      m.perform(next);
      seen[{m.event_count(ThreadId(1)), m.event_count(ThreadId(2))}].insert(
          {m.fingerprint(false), m.fingerprint(true)});
    }
    m.rewind(start);
  }
  EXPECT_GT(seen.size(), 50u);
  std::set<uint64_t> all;
  for (const auto& [state, prints] : seen) {
    EXPECT_EQ(prints.size(), 1u) << state.first << " " << state.second;
    all.insert(prints.begin()->first);
  }
  EXPECT_EQ(all.size(), seen.size());  // and different states differ
}

}  // namespace
}  // namespace heddle::machine::test
