// The searches on C programs: counts against formulas, the worked examples of the paper, replay and minimising.
#include <gtest/gtest.h>

#include <random>

#include "tests/explore/c_program.h"

namespace heddle::explore {
namespace {

const std::string kHead = R"(
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
)";

// main starts n threads of `worker` (argument: number) and joins them.
std::string threads(int n, const std::string& globals, const std::string& body) {
  return kHead + globals + "\nstatic void *worker(void *arg) { int n = (int)(long)arg; (void)n; " + body +
         " return 0; }\nint main(void) { pthread_t t[" + std::to_string(n) + "]; for (long i = 0; i < " +
         std::to_string(n) + "; i++) pthread_create(&t[i], 0, worker, (void *)i); for (int i = 0; i < " +
         std::to_string(n) + "; i++) pthread_join(t[i], 0); return 0; }\n";
}

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

// Both reads are in the same line of the library; who calls it tells them apart.
TEST(ReplayOnCxx, RacesOfTwoReadersOnOnePathAreTwo) {
  const program::ProgramPtr program = test::program_of_cxx(R"(
#include <atomic>
#include <pthread.h>
static std::atomic<int> value{0};
static void *first(void *p) { (void)value.load(); return p; }
static void *second(void *p) { (void)value.load(); return p; }
static void *writes(void *p) { *reinterpret_cast<int *>(&value) = 1; return p; }
int main() {
  pthread_t t[3];
  pthread_create(&t[0], nullptr, first, nullptr);
  pthread_create(&t[1], nullptr, second, nullptr);
  pthread_create(&t[2], nullptr, writes, nullptr);
  for (pthread_t one : t) pthread_join(one, nullptr);
}
)");
  std::set<std::string> readers;
  Listener listener;
  listener.finding = [&](const detect::Finding& finding) {
    for (const detect::SourcePlace& place : finding.places) readers.insert(place.function);
  };
  replay(machine::make_image(program, analysis::analyse(program)), {}, {}, listener);
  EXPECT_TRUE(readers.count("first") && readers.count("second")) << readers.size();
}

// A schedule that interrupts a thread inside a race: `count` is written by one thread between the other's read and
// write of it. That is why `count` is 1 in the end, and not why `other` is.
TEST(MinimiseOnC, NamesTheRaceThatAFailureNeeds) {
  const std::string text = kHead + R"(
static int count, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *p) {
  pthread_mutex_lock(&m); int seen = other; pthread_mutex_unlock(&m);
  count++;
  pthread_mutex_lock(&m); other = seen + 1; pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(WHAT == 2);
}
)";
  for (const std::string what : {"count", "other"}) {
    std::string own = text;
    own.replace(own.find("WHAT"), 4, what);
    const CProgram program(own);
    const Explored all = run_full(program);
    const detect::Finding *failure = all.of("assertion"), *race = all.of("data-race");
    ASSERT_TRUE(failure != nullptr && race != nullptr);
    Task task;
    task.visible = all.result.racy;
    machine::Machine machine(program.image, {});
    machine.make_visible(task.visible);
    detect::Finding crafted = *failure;
    crafted.schedule.clear();
    bool inside = false;
    const auto go = [&](uint32_t thread, const auto& until) {
      const machine::ThreadId id(thread);
      while (machine.outcome() == machine::Outcome::Running && machine.enabled(id) && !until(machine.pending(id))) {
        crafted.schedule.push_back({id, 0});
        machine.perform(id, 0);
      }
    };
    const auto never = [](const machine::Operation&) { return false; };
    go(0, never);
    go(1, [&](const machine::Operation& next) { return inside |= next.kind == machine::OperationKind::Write; });
    ASSERT_TRUE(inside);
    go(2, never);
    go(1, never);
    go(0, never);
    ASSERT_EQ(machine.outcome(), machine::Outcome::Faulted) << what;
    const detect::Finding told = minimise(program.image, crafted, task);
    EXPECT_EQ(told.schedule, crafted.schedule) << "it has as few switches as any";
    const auto origins = what == "count" ? std::vector<std::string>{race->id} : std::vector<std::string>{};
    EXPECT_EQ(told.follows_from, origins) << what;
  }
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

const std::string kFourIncrements = kHead + R"(
static atomic_int i;
static void *up_and_down(void *arg) { i++; i--; return arg; }
static void *observer(void *arg) {
  assert(i < 4);  // l_mod
  return arg;
}
int main(void) {
  pthread_t c[4], w;
  for (int n = 0; n < 4; n++) pthread_create(&c[n], 0, up_and_down, 0);
  pthread_create(&w, 0, observer, 0);
  for (int n = 0; n < 4; n++) pthread_join(c[n], 0);
  pthread_join(w, 0);
  return 0;
}
)";

TEST(PairwiseOnC, FourIncrements) {
  const CProgram program(kFourIncrements);
  for (const uint32_t instance : {0u, 1u}) {
    const Explored pair = run_pair(program, program.role("observer"), program.role("up_and_down", instance));
    EXPECT_TRUE(pair.result.fragment_reached);
    EXPECT_EQ(pair.rules(), std::set<std::string>{"assertion"});
    EXPECT_EQ(pair.result.completeness, Completeness::Complete);
  }
}

TEST(PairwiseOnC, FourIncrementsOfPlainAccesses) {
  std::string text = kFourIncrements;
  text.replace(text.find("atomic_int i"), 12, "int i");
  const CProgram program(text);
  Task task;
  task.mode = Mode::Pairwise;
  task.fragment = program.fragment();
  task.modified = program.role("observer");
  task.other = program.role("up_and_down");
  task.machine.plain_accesses = machine::PlainAccesses::Visible;
  EXPECT_TRUE(run(program, task).rules().count("assertion"));
}

TEST(PairwiseOnC, ThreeLocks) {
  const CProgram program(kHead + R"(
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *p, pthread_mutex_t *q) {
  pthread_mutex_lock(p);
  pthread_mutex_lock(q);
  pthread_mutex_unlock(q);
  pthread_mutex_unlock(p);
}
static void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // l_mod
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}
static void *second(void *arg) { both(&b, &c); return arg; }
static void *third(void *arg) { both(&c, &a); return arg; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, third, 0);
  for (int n = 0; n < 3; n++) pthread_join(t[n], 0);
  return 0;
}
)");
  const Explored pair = run_pair(program, program.role("first"), program.role("second"));
  ASSERT_EQ(pair.rules(), std::set<std::string>{"deadlock"});
  // Each of three threads waits, and took the lock that another one wants.
  EXPECT_GE(pair.of("deadlock")->places.size(), 6u);
  EXPECT_EQ(run_full(program).of("deadlock")->id, pair.of("deadlock")->id);
}

// A waiting loop comes back to a state that was seen before the machine knows it as one, the later the more the thread
// has read on its way: it goes on until then.
TEST(PairwiseOnC, LoopsThatWaitForEver) {
  for (int reads = 0; reads < 20; ++reads) {
    const CProgram program(kHead + R"(
static atomic_int a, b, total;
static void *waits(void *arg) {
  int sum = 0;
  for (int n = 0; n < )" + std::to_string(reads) +
                           R"(; n++) sum += a;
  while (a + b < 4) {}  // l_mod
  return arg;
}
static void *tells(void *arg) { a = 1; a = 0; b = 2; return arg; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, waits, 0);
  pthread_create(&t[1], 0, tells, 0);
  for (int n = 0; n < 2; n++) pthread_join(t[n], 0);
  return 0;
}
)");
    const std::set<std::string> livelock{"livelock"};
    EXPECT_EQ(run_full(program).rules(), livelock) << reads;
    EXPECT_EQ(run_pair(program, program.role("waits"), program.role("tells")).rules(), livelock) << reads;
  }
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

TEST(AffectedOnC, FindsWhatHasToComeBeforeTheFragment) {
  const CProgram program(kHead + R"(
static atomic_int x, unrelated;
static void *edited(void *arg) {
  x++;
  assert(x != 3);  // l_mod
  return arg;
}
static void *setter(void *arg) { unrelated++; x = 2; return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, edited, 0);
  pthread_create(&b, 0, setter, 0);
  unrelated++;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)");
  const Explored pair = run_pair(program, program.role("edited"), program.role("setter"));
  EXPECT_TRUE(pair.result.fragment_reached);
  EXPECT_TRUE(pair.findings.empty());
  Task task;
  task.mode = Mode::Affected;
  task.relevant = program.objects({"x"});
  const Explored affected = run(program, task);
  EXPECT_EQ(affected.rules(), std::set<std::string>{"assertion"});
  EXPECT_LT(affected.result.statistics.executions, run_full(program).result.statistics.executions);
}

TEST(AffectedOnC, FindsLateEffectsBetweenThreadsThatWereNotEdited) {
  const CProgram program(kHead + R"(
static atomic_int mode, x;
static void *edited(void *arg) {
  mode = 1;  // l_mod
  return arg;
}
static void *writer(void *arg) { if (mode) { x = 1; x = 0; } return arg; }
static void *reader(void *arg) { assert(x == 0); return arg; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, edited, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_create(&c, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
)");
  for (const std::string other : {"writer", "reader", "main"}) {
    const Explored pair = run_pair(program, program.role("edited"), program.role(other));
    EXPECT_TRUE(pair.result.fragment_reached);
    EXPECT_TRUE(pair.findings.empty()) << other;
  }
  Task task;
  task.mode = Mode::Affected;
  task.relevant = program.objects({"mode", "x"});
  EXPECT_EQ(run(program, task).rules(), std::set<std::string>{"assertion"});
}

TEST(AffectedOnC, EndlessIrrelevantLoopsDoNotStarve) {
  const CProgram program(kHead + R"(
static atomic_int stop, noise, x;
static void *spinner(void *arg) { while (!stop) noise++; return arg; }
static void *setter(void *arg) { x = 1; stop = 1; return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, spinner, 0);
  pthread_create(&b, 0, setter, 0);
  assert(x == 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)");
  Task task;
  task.mode = Mode::Affected;
  task.relevant = program.objects({"x"});
  task.budget.executions_max = 50;
  EXPECT_EQ(run(program, task).rules(), std::set<std::string>{"assertion"});
}

// Who waits for something that is not relevant goes on at a step that leaves no trace in the order of events.
TEST(AffectedOnC, WhoWaitsForTheIrrelevantHidesNothing) {
  for (const std::string wait :
       {"while (!stop) usleep(1);", "while (!stop) sched_yield();", "while (!stop) noise++;", "while (!stop) {}",
        "pthread_mutex_lock(&m); while (!stop) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"}) {
    const CProgram program("#include <sched.h>\n#include <unistd.h>\n" + std::string(kHead) + R"(
static atomic_int stop, noise, x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waits(void *arg) { )" + wait + R"( return arg; }
static void *setter(void *arg) {
  x = 1;
  pthread_mutex_lock(&m); stop = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, setter, 0);
  assert(x == 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)");
    Task task;
    task.mode = Mode::Affected;
    task.relevant = program.objects({"x"});
    for (const bool trees : {true, false}) {
      task.reductions.wakeup_trees = trees;
      EXPECT_EQ(run(program, task).rules(), std::set<std::string>{"assertion"}) << wait << (trees ? "" : ", source sets");
    }
  }
}

TEST(Random, FindsTheLostUpdateAndIsEqualForEqualSeeds) {
  const CProgram program(threads(2, "static atomic_int x;", "int old = x; x = old + 1; if (n == 1) assert(x != 1);"));
  Task task;
  task.mode = Mode::Random;
  task.budget.executions_max = 200;
  const Explored first = run(program, task), second = run(program, task);
  EXPECT_EQ(first.rules(), std::set<std::string>{"assertion"});
  EXPECT_EQ(first.result.statistics.events, second.result.statistics.events);
}

TEST(Budget, ExecutionsAndCancel) {
  const CProgram program(threads(6, "static atomic_int x;", "x++; x++;"));
  Task task;
  task.budget.executions_max = 10;
  EXPECT_EQ(run(program, task).result.completeness, Completeness::ExecutionLimit);
  task.reductions.state_matching = false;  // or it ends at once
  task.budget = {.seconds = 0.05};
  EXPECT_EQ(run(program, task).result.completeness, Completeness::TimeLimit);
  task.budget = {};
  Listener listener;
  listener.progress = [](const Statistics&) { return false; };
  EXPECT_EQ(explore(program.image, program.facts.get(), task, listener).completeness, Completeness::Cancelled);
}

TEST(Limits, UnknownExternalIsNoFinding) {
  const CProgram program(kHead + "int mystery(int); int main(void) { return mystery(1); }");
  const Explored all = run_full(program);
  EXPECT_TRUE(all.findings.empty());
  ASSERT_EQ(all.result.limits.size(), 1u);
  EXPECT_NE(all.result.limits[0].message.find("mystery"), std::string::npos);
  EXPECT_EQ(all.result.completeness, Completeness::GuestLimit);
}

TEST(Replay, FindsItAgainAndNotWhenItIsRepaired) {
  const std::string globals = "static atomic_int x; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
  const CProgram broken(threads(2, globals,
                                "int old = x; x = old + 1; if (n == 1) assert(x != 1 || old == 0);"
                                "if (n == 0) assert(x != 1 || old == 1);"));
  const Explored found = run_full(broken);
  ASSERT_FALSE(found.findings.empty());
  Task task;
  Explored again;
  Listener listener;
  listener.finding = [&](const detect::Finding& finding) { again.findings.push_back(finding); };
  replay(broken.image, found.findings[0].schedule, task, listener);
  ASSERT_EQ(again.findings.size(), 1u);
  EXPECT_EQ(again.findings[0].id, found.findings[0].id);

  again.findings.clear();
  const CProgram repaired(threads(2, globals, "x++;"));
  replay(repaired.image, found.findings[0].schedule, task, listener);
  EXPECT_TRUE(again.findings.empty());
}

TEST(Minimise, FewestSwitches) {
  // Found at random, the lost update has many switches; two are enough after the threads were created.
  const CProgram program(threads(2, "static atomic_int x, noise, done;",
                                 "for (int i = 0; i < 5; i++) noise++; int old = x; x = old + 1;"
                                 "if (++done == 2) assert(x == 2);"));
  Task task;
  task.mode = Mode::Random;
  task.budget.executions_max = 500;
  const Explored found = run(program, task);
  ASSERT_TRUE(found.of("assertion"));
  uint32_t switches = 0;
  for (const auto& step : found.of("assertion")->trace) switches += step.switched;
  EXPECT_LE(switches, 4u);
}

}  // namespace
}  // namespace heddle::explore
