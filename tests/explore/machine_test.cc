// The search of everything on C programs: counts against formulas, loops that wait, going on where it stood.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/explore/c_threads.h"

namespace heddle::explore {
namespace {

uint64_t factorial(uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

uint64_t executions(const std::string& text) {
  const CProgram program(text);
  const Explored all = run_full(program);
  EXPECT_EQ(all.result.completeness, Completeness::Complete);
  EXPECT_TRUE(all.findings.empty()) << all.findings[0].message;
  return all.result.statistics.executions;
}

TEST(FullOnC, OfRacesAtTheSamePlacesOneHasAnInterleaving) {
  const CProgram program(threads(2, "static struct { int a, b; } s;\n#define BOTH (s.a = n, s.b = n)\n", "BOTH;"));
  Task task;
  task.follow_races = false;
  const Explored each = run(program, task);
  ASSERT_EQ(each.findings.size(), 2u);
  for (const detect::Finding& finding : each.findings) EXPECT_FALSE(finding.trace.empty());
  task.each_race = false;
  const Explored brief = run(program, task);
  ASSERT_EQ(brief.findings.size(), 2u);
  for (size_t n = 0; n < 2; ++n) EXPECT_EQ(brief.findings[n].id, each.findings[n].id);
  EXPECT_FALSE(brief.findings[0].trace.empty());
  EXPECT_TRUE(brief.findings[1].trace.empty());
}

TEST(FullOnC, IndependentThreads) {
  for (int n = 1; n <= 6; ++n) {
    EXPECT_EQ(executions(threads(n, "static atomic_int x[8];", "x[n]++; x[n]++;")), 1u);
  }
}

TEST(FullOnC, WritersOfOneVariable) {
  for (int n = 1; n <= 5; ++n) EXPECT_EQ(executions(threads(n, "static atomic_int x;", "x = n;")), factorial(n));
}

// The two programs of the literature (Flanagan and Godefroid; Abdulla et al.), with nothing begun in vain.
uint64_t executions_alone(const std::string& text) {
  const Explored all = run_full(CProgram(text), {.state_matching = false});
  EXPECT_EQ(all.result.completeness, Completeness::Complete);
  EXPECT_EQ(all.result.statistics.redundant, 0u);
  return all.result.statistics.executions;
}

TEST(FullOnC, LastZero) {
  for (int n = 3; n <= 9; ++n) {
    const std::string last = std::to_string(n - 1);
    const std::string body =
        "if (n == 0) { int i = " + last + "; while (i > 0 && x[i] != 0) i--; } else { x[n] = x[n - 1] + 1; }";
    const auto threads_and_two = static_cast<uint64_t>(n + 2);
    EXPECT_EQ(executions_alone(threads(n, "static atomic_int x[17];", body)), threads_and_two << (n - 3));
  }
}

TEST(FullOnC, Indexer) {
  const std::string body =
      "for (int m = 0; m < 4; m++) { int w = m * 11 + n, h = (w * 7) % 128, e = 0;"
      " while (!atomic_compare_exchange_strong(&table[h], &e, w)) { e = 0; h = (h + 1) % 128; } }";
  EXPECT_EQ(executions_alone(threads(11, "static atomic_int table[128];", body)), 1u);
  EXPECT_EQ(executions_alone(threads(12, "static atomic_int table[128];", body)), 8u);
  EXPECT_EQ(executions_alone(threads(13, "static atomic_int table[128];", body)), 64u);
}

TEST(FullOnC, PathsTooLongForWakeupTrees) {
  const std::string body = "for (int i = 0; i < 1500; i++) x[n]++; y = n;";
  EXPECT_EQ(executions(threads(2, "static atomic_int x[2], y;", body)), 2u);
}

TEST(FullOnC, CriticalSections) {
  const std::string globals = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x;";
  for (int n = 1; n <= 5; ++n) {
    const std::string body = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";
    EXPECT_EQ(executions(threads(n, globals, body)), factorial(n));
  }
}

TEST(FullOnC, ReadersAndAWriter) {
  for (int n = 1; n <= 5; ++n) {
    EXPECT_EQ(executions(threads(n + 1, "static atomic_int x;", "if (n == 0) x = 1; else (void)x;")), uint64_t{1} << n);
  }
}

TEST(FullOnC, ReaderLocks) {
  const std::string globals = "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;";
  for (int n = 1; n <= 4; ++n) {
    EXPECT_EQ(executions(threads(n, globals, "pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);")), 1u);
    EXPECT_EQ(executions(threads(n, globals, "pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l);")), factorial(n));
  }
}

TEST(FullOnC, ReaderLocksOrderNothingBetweenReaders) {
  const std::string globals = "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static atomic_int x;";
  EXPECT_EQ(executions(threads(2, globals,
                               "if (n) x = 1; pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); if (!n) x = 2;")),
            2u);
  // A writer and a reader in both orders, times the two orders of the writes of x where the locks leave them open.
  const CProgram program(threads(2, globals,
                                 "if (n) pthread_rwlock_wrlock(&l); else pthread_rwlock_rdlock(&l); x++;"
                                 "pthread_rwlock_unlock(&l); assert(n != 1 || x != 1);"));
  EXPECT_EQ(run_full(program).rules(), std::set<std::string>{"assertion"});
}

TEST(FullOnC, ReductionsAgreeOnFindings) {
  const std::vector<std::string> programs = {
      threads(2, "static atomic_int x;", "int old = x; x = old + 1; if (n == 1) assert(x != 1);"),
      threads(2, "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;",
              "pthread_mutex_t *p = n ? &a : &b, *q = n ? &b : &a; pthread_mutex_lock(p); pthread_mutex_lock(q);"
              "pthread_mutex_unlock(q); pthread_mutex_unlock(p);"),
      threads(2, "static int x;", "x++;"),
      threads(
          2,
          "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;",
          "pthread_mutex_lock(&m); if (n) pthread_cond_signal(&c); else pthread_cond_wait(&c, &m);"
          "pthread_mutex_unlock(&m);"),
  };
  for (const std::string& text : programs) {
    const CProgram program(text);
    std::set<std::string> expected;
    for (const auto& finding : run_full(program).findings) expected.insert(finding.id);
    EXPECT_FALSE(expected.empty()) << text;
    for (const Reductions reductions :
         {Reductions{.sleep_sets = false}, Reductions{.wakeup_trees = false}, Reductions{.state_matching = false},
          Reductions{.states_before_matching = 0}, Reductions{.dynamic_partial_order = false},
          Reductions{.dynamic_partial_order = false, .sleep_sets = false}}) {
      std::set<std::string> ids;
      for (const auto& finding : run_full(program, reductions).findings) ids.insert(finding.id);
      EXPECT_EQ(ids, expected) << text;
    }
  }
}

TEST(FullOnC, ALoopThatRetriesIsNoSpin) {
  const std::string body =
      "for (;;) { int old = x; (void)y; if (atomic_compare_exchange_strong(&x, &old, old + 1)) break; }";
  EXPECT_EQ(executions(threads(2, "static atomic_int x, y;", body)) > 2, true);
  EXPECT_GT(executions(threads(3, "static atomic_int x, y;", body)), 6u);
}

TEST(FullOnC, AFaultUnderALockIsNoDeadlock) {
  const CProgram program(threads(2, "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x;",
                                 "pthread_mutex_lock(&m); x++; assert(x < 2); pthread_mutex_unlock(&m);"));
  EXPECT_EQ(run_full(program).rules(), std::set<std::string>{"assertion"});
}

TEST(FullOnC, OneFindingPerPairOfStatements) {
  EXPECT_EQ(run_full(CProgram(threads(2, "static int x;", "x++;"))).findings.size(), 1u);
  EXPECT_EQ(run_full(CProgram(threads(2, "static int x[2];", "for (int i = 0; i < 2; i++) x[i] = n;"))).findings.size(),
            1u);
}

TEST(FullOnC, ARaceAndWhatItDoes) {
  const CProgram program(threads(2, "static int x; static atomic_int done;", "x++; if (++done == 2) assert(x == 2);"));
  const Explored all = run_full(program);
  EXPECT_EQ(all.rules(), (std::set<std::string>{"assertion", "data-race"}));
  EXPECT_FALSE(all.result.racy.empty());
}

TEST(FullOnC, TheOrderOfUnjoinedThreadsAndTheEnd) {
  const CProgram program(kHead + R"(
static void *worker(void *arg) { assert(arg != 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }
)");
  EXPECT_TRUE(run_full(program).rules().count("assertion"));
}

// Two threads that wait with a time limit for what nobody does: either can go on in every state, neither gets anywhere.
std::string timed_waits(const std::string& other) {
  return kHead + R"(
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;
static const struct timespec later = {1, 0};
static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  while (flag == 0)
    pthread_cond_timedwait(&c, &m, &later);  // l_mod
  pthread_mutex_unlock(&m);
  return arg;
}
static void *other(void *arg) {
  pthread_mutex_lock(&m);
)" + other +
         R"(
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, waits, 0);
  pthread_create(&t[1], 0, other, 0);
  for (int n = 0; n < 2; n++) pthread_join(t[n], 0);
  return 0;
}
)";
}

void expect_rounds(const CProgram& forgotten) {
  Task by_states;
  by_states.reductions.states_before_matching = 0;
  std::string id;
  for (const Explored& explored : {run_full(forgotten), run(forgotten, by_states),
                                   run_pair(forgotten, forgotten.role("waits"), forgotten.role("other"))}) {
    ASSERT_EQ(explored.rules(), std::set<std::string>{"livelock"});
    const detect::Finding& finding = explored.findings[0];
    EXPECT_EQ(explored.findings.size(), 1u);
    EXPECT_EQ(id.empty() ? finding.id : id, finding.id);
    id = finding.id;
    EXPECT_LT(finding.schedule.size(), 20u);
    Task task;
    Explored again;
    Listener listener;
    listener.finding = [&](const detect::Finding& f) { again.findings.push_back(f); };
    replay(forgotten.image, finding.schedule, task, listener);
    ASSERT_EQ(again.findings.size(), 1u);
    EXPECT_EQ(again.findings[0].id, id);
  }
}

TEST(FullOnC, TimedWaitsThatGoRoundForEver) {
  std::string forgotten = timed_waits("while (flag == 0) pthread_cond_timedwait(&c, &m, &later);");
  expect_rounds(CProgram(forgotten));
  // While the two go round, main may not have come to its last step: it does not go round with them.
  const std::string joins = "  for (int n = 0; n < 2; n++) pthread_join";
  forgotten.insert(forgotten.find(joins), "  pthread_t last;\n  pthread_create(&last, 0, nothing, 0);\n");
  forgotten.insert(forgotten.find("int main"), "static void *nothing(void *arg) { return arg; }\n");
  expect_rounds(CProgram(forgotten));
  const CProgram told(timed_waits("flag = 1;"));
  Task by_states;
  by_states.reductions.states_before_matching = 0;
  EXPECT_EQ(run_full(told).rules(), std::set<std::string>{});
  EXPECT_EQ(run(told, by_states).rules(), std::set<std::string>{});
  EXPECT_EQ(run_pair(told, told.role("waits"), told.role("other")).rules(), std::set<std::string>{});
}

// Killed between any two paths and gone on from what was saved there: the same errors, and no path twice.
TEST(FullOnC, GoesOnWhereItStood) {
  const std::string programs[] = {
      threads(3, "static atomic_int x, y; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int g;",
              "x++; pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); if (x + y++ == 4) assert(g != 3);"),
      threads(3, "static int x; static atomic_int done;", "x++; if (++done == 3) assert(x == 3);"),
      timed_waits("flag = 1; pthread_cond_signal(&c);")};
  std::mt19937 random(17);
  for (const std::string& text : programs) {
    const CProgram program(text);
    for (const bool wakeup_trees : {true, false}) {
      Task task;
      task.save_seconds = 0;
      task.reductions.state_matching = false;
      task.reductions.wakeup_trees = wakeup_trees;
      task.reductions.probes = false;  // paths are counted
      struct Stand {
        std::string bytes;
        uint64_t paths;
        std::set<std::string> ids;
      };
      std::vector<Stand> stands;
      uint64_t paths = 0;
      std::set<std::string> ids;
      Listener listener;
      listener.path_end = [&](const machine::Machine&) { ++paths; };
      listener.finding = [&](const detect::Finding& f) { ids.insert(f.id); };
      listener.saved = [&](const std::string& bytes, const Statistics&) { stands.push_back({bytes, paths, ids}); };
      const Result whole = explore(program.image, program.facts.get(), task, listener);
      const uint64_t all_paths = paths;
      const std::set<std::string> all_ids = ids;
      ASSERT_GT(stands.size(), 0u);
      const std::vector<Stand> kept = std::move(stands);
      for (int round = 0; round < 12; ++round) {
        const Stand& stand = kept[random() % kept.size()];
        paths = 0;
        ids = stand.ids;
        stands.clear();
        Task rest = task;
        rest.resume = stand.bytes;
        const Result result = explore(program.image, program.facts.get(), rest, listener);
        EXPECT_EQ(paths, all_paths - stand.paths);
        EXPECT_EQ(ids, all_ids);
        EXPECT_EQ(result.statistics.executions, whole.statistics.executions);
        EXPECT_EQ(result.racy, whole.racy);
        EXPECT_EQ(result.completeness, whole.completeness);
      }
      Task broken = task;
      broken.resume = kept[0].bytes.substr(0, kept[0].bytes.size() / 2);
      paths = 0;
      explore(program.image, program.facts.get(), broken, listener);
      EXPECT_EQ(paths, all_paths);  // not to be read: from the beginning
    }
  }
}

// Over many objects, too: each of the last ones is there, and locks that are held are known.
TEST(MachineOnC, TheEventsOfALongStartDoNotFillTheMemory) {
  const CProgram program(
      "#include <pthread.h>\nenum { kCount = 4096 };\nstatic pthread_mutex_t locks[kCount];\n"
      "static void *use(void *p) {\n"
      "  for (int n = 1; n < 3; n++) { pthread_mutex_lock(&locks[n]); pthread_mutex_unlock(&locks[n]); }\n  return "
      "p;\n}\n"
      "int main(void) {\n  for (int n = 0; n < kCount; n++) pthread_mutex_init(&locks[n], 0);\n"
      "  pthread_mutex_lock(&locks[0]);\n"
      "  for (unsigned n = 0; n < 200000; n++) {\n    pthread_mutex_t *one = &locks[1 + n * 7919u % (kCount - 1)];\n"
      "    pthread_mutex_lock(one);\n    pthread_mutex_unlock(one);\n  }\n"
      "  pthread_t t;\n  pthread_create(&t, 0, use, 0);\n  pthread_join(t, 0);\n  return 0;\n}\n");
  machine::Machine machine(program.image, {});
  while (machine.outcome() == machine::Outcome::Running && machine.thread_count() == 1)
    machine.perform(machine::ThreadId(0));
  EXPECT_EQ(machine.outcome(), machine::Outcome::Running);
  EXPECT_LT(machine.events().size(), 150'000u);
  std::map<uint64_t, int> held;
  for (const machine::Event& event : machine.events()) {
    if (machine::takes_lock(event.operation.kind)) held[event.operation.object.bits] = 1;
    if (machine::gives_lock(event.operation.kind)) held[event.operation.object.bits] = 0;
  }
  EXPECT_EQ(std::count_if(held.begin(), held.end(), [](const auto& one) { return one.second == 1; }), 1);
}

}  // namespace
}  // namespace heddle::explore
