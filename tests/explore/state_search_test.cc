// Every state once: against brute force over all interleavings of toy programs, and against the search by executions on
// C programs.
#include <gtest/gtest.h>

#include <set>

#include "server/explore/state_search.h"
#include "tests/explore/c_program.h"
#include "tests/explore/random_toy.h"

namespace heddle::explore {
namespace {

using toy::Code;
using toy::Program;
using toy::Thread;
using toy::Toy;

struct Seen {
  std::set<std::string> states;    // met on the way
  std::set<std::string> outcomes;  // at the end of paths
  Statistics statistics;

  // Where a fault or the end of the process finds the other threads is no matter.
  void ended(const Toy& toy) {
    const std::string state = toy.describe();
    const size_t fault = state.rfind(' ', state.size() - 2);
    outcomes.insert(toy.outcome() == machine::Outcome::Running ? state : "cut short" + state.substr(fault));
  }
};

struct Recorder {
  Toy& toy;
  Seen& seen;

  bool relevant(const machine::Operation&) const { return true; }
  bool stepped(machine::ThreadId) {
    if (toy.outcome() == machine::Outcome::Running) seen.states.insert(toy.describe());
    return true;
  }
  void about_to(machine::ThreadId) {}
  bool used_unsynchronised_read(machine::ThreadId) const { return false; }
  void ended(PathEnd) { seen.ended(toy); }
  void beyond(Beyond) { FAIL(); }
};

Seen by_states(const Program& program, Reductions reductions = {}) {
  Seen seen;
  Toy toy(program);
  Recorder recorder{toy, seen};
  SharedCells cells;
  StateSearch<Toy, Recorder> search(toy, recorder, reductions, seen.statistics, 1'000'000, cells);
  EXPECT_EQ(search.run(), StateSearchEnd::Complete);
  return seen;
}

// Every interleaving, with nothing left out.
void walk(Toy& toy, Seen& seen) {
  bool moved = false;
  for (uint32_t n = 0; n < toy.thread_count() && toy.outcome() == machine::Outcome::Running; ++n) {
    const machine::ThreadId thread(n);
    if (!toy.enabled(thread)) continue;
    const uint32_t alternatives = toy.pending(thread).alternatives;
    for (uint32_t a = 0; a < alternatives; ++a) {
      Toy next = toy;
      next.perform(thread, a);
      moved = true;
      if (seen.states.insert(next.describe()).second) walk(next, seen);
    }
  }
  if (!moved) seen.ended(toy);
}

Seen by_force(const Program& program) {
  Seen seen;
  Toy toy(program);
  walk(toy, seen);
  return seen;
}

// Operations that are independent of all others run at once, so not all states between them are met, but all ends.
TEST(StateSearch, RandomProgramsReachTheSameEnds) {
  const uint32_t seed = toy::seed_of("by states", 5);
  std::mt19937 random(seed);
  uint64_t with = 0, awake = 0, everybody = 0, neither = 0;
  for (int round = 0; round < 2000; ++round) {
    const Program program = toy::random_program(random, round % 3 != 0);
    const Seen brute = by_force(program);
    const auto check = [&](bool dynamic_partial_order, bool sleep_sets) {
      const Seen seen = by_states(program, {.dynamic_partial_order = dynamic_partial_order, .sleep_sets = sleep_sets});
      EXPECT_EQ(seen.outcomes, brute.outcomes)
          << toy::text(program) << " round " << round << dynamic_partial_order << sleep_sets;
      return seen.statistics.events;
    };
    with += check(true, true);
    awake += check(true, false);
    everybody += check(false, true);
    neither += check(false, false);
    ASSERT_FALSE(HasFailure());
  }
  std::cout << "steps " << with << ", without sleep sets " << awake << ", with everybody tried " << everybody
            << ", both " << neither << "\n";
  EXPECT_LT(with, everybody);
  EXPECT_LT(everybody, neither);
  EXPECT_LT(awake, neither);
}

// Threads that others start, and loops whose states come back.
TEST(StateSearch, RandomProgramsWithLoopsAndCreatesReachTheSameEnds) {
  std::mt19937 random(toy::seed_of("loops and creates", 29));
  for (int round = 0; round < 300; ++round) {
    const Program program = toy::random_created(random, round % 4 != 0);
    const Seen brute = by_force(program);
    for (const Reductions& reductions :
         {Reductions{}, Reductions{.sleep_sets = false}, Reductions{.dynamic_partial_order = false}})
      ASSERT_EQ(by_states(program, reductions).outcomes, brute.outcomes)
          << toy::text(program) << " round " << round << reductions.dynamic_partial_order << reductions.sleep_sets;
  }
}

// A thread that sleeps does not stand for others whose steps come before its own.
TEST(StateSearch, WhoSleepsDoesNotGoInTheirPlace) {
  const Program program{
      .threads = {{{Code::SemaphoreWait, 0}, {Code::Set, 0, 2}, {Code::Lock, 3}, {Code::Wait, 0, 3}, {Code::Unlock, 3}},
                  {{Code::SemaphorePost, 0}, {Code::Read, 0}, {Code::SkipIf, 1, 1}},
                  {{Code::Signal, 0}, {Code::Read, 0}, {Code::SkipIf, 1, 1}}},
      .semaphores = {1, 0, 0, 0, 0, 0, 0, 0}};
  EXPECT_EQ(by_states(program).outcomes, by_force(program).outcomes);
}

// In a state that is met again, whoever slept the first time and is awake now has to be tried.
TEST(StateSearch, SleepersOfTheFirstTimeMayBeAwakeTheNext) {
  const Program program{.threads = {{{Code::Read, 1}, {Code::AssertNot, 0, 2}, {Code::Read, 1}},
                                    {{Code::Write, 1, 0}, {Code::Set, 1, 1}, {Code::Read, 1}, {Code::Add, 1, 1}}}};
  for (const Reductions& reductions : {Reductions{}, Reductions{.dynamic_partial_order = false}})
    EXPECT_EQ(by_states(program, reductions).outcomes, by_force(program).outcomes);
}

// What a blocked thread is about to do counts where all others sleep, too.
TEST(StateSearch, WhoIsBlockedBesideSleepersIsSeen) {
  const Program program{.threads = {{{Code::Read, 0}, {Code::AssertNot, 0, 1}},
                                    {{Code::ReadLock, 2}, {Code::ReadUnlock, 2}, {Code::Lock, 0}, {Code::Add, 0, 1}},
                                    {{Code::Choose, 0, 2}, {Code::Write, 0, 1}, {Code::Lock, 0}}}};
  EXPECT_EQ(by_states(program).outcomes, by_force(program).outcomes);
}

TEST(StateSearch, CountersHaveOneStatePerSum) {
  // n threads that add to one variable twice: executions (2n)! / 2^n, states 3^n.
  uint64_t states = 1;
  for (uint32_t n = 1; n <= 6; ++n) {
    Program program{.threads = std::vector<Thread>(n, {{Code::Add, 7, 0}, {Code::Add, 7, 0}})};
    states *= 3;
    const Seen seen = by_states(program, {.dynamic_partial_order = false, .sleep_sets = false});
    // The ends of the threads commute with everything here, but come one by one.
    EXPECT_GE(seen.states.size() + 1, states);
    EXPECT_LE(seen.states.size(), uint64_t{1} << (2 * n));
    EXPECT_EQ(seen.outcomes.size(), 1u);
  }
}

TEST(StateSearch, StopsWhenThereAreTooManyStates) {
  const Program program{.threads = std::vector<Thread>(4, {{Code::Add, 0, 1}, {Code::Add, 1, 1}, {Code::Add, 0, 1}})};
  Seen seen;
  Toy toy(program);
  Recorder recorder{toy, seen};
  const Reductions reductions;
  SharedCells cells;
  StateSearch<Toy, Recorder> search(toy, recorder, reductions, seen.statistics, 50, cells);
  EXPECT_EQ(search.run(), StateSearchEnd::TooManyStates);
}

// --- on C programs ---

const std::string kHead =
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\n"
    "#define LOCKED(x) pthread_mutex_lock(&m); x; pthread_mutex_unlock(&m);\n";

std::string two(const std::string& globals, const std::string& first, const std::string& second) {
  return kHead + globals + "\nstatic void *f(void *q) { " + first + " return q; }\nstatic void *g(void *q) { " +
         second +
         " return q; }\nint main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);"
         " pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
}

std::set<std::string> ids(const Explored& explored) {
  std::set<std::string> result;
  for (const auto& finding : explored.findings) result.insert(finding.rule + " " + finding.id);
  return result;
}

Explored full(const CProgram& program, uint64_t states_before_matching, bool sleep_sets = true) {
  Task task;
  task.reductions.sleep_sets = sleep_sets;
  task.reductions.states_before_matching = states_before_matching;
  task.reductions.probes = false;  // they see some of what races lead to
  task.follow_races = false;
  const Explored result = run(program, task);
  EXPECT_EQ(result.result.completeness, Completeness::Complete);
  return result;
}

TEST(StateSearchOnC, FindsWhatTheSearchByExecutionsFinds) {
  const std::vector<std::string> programs = {
      // The race hides behind one order of the two critical sections, which leaves no trace in the state.
      two("static int x;", "x = 1; LOCKED()", "LOCKED() x = 2;"),
      two("static int x, y;", "x = 1; LOCKED(y = 0) LOCKED(y = 0)", "LOCKED(y = 0) LOCKED(y = 0) x = 1;"),
      two("static int x; static atomic_int a;", "x = 1; a = 1; a = 0;", "a = 0; a = 1; if (a) x = 2;"),
      // Whether x was read is forgotten by the time of the race.
      two("static int x; static atomic_int a;", "if (a && x == 5) abort(); LOCKED()", "a = 1; a = 0; x = 2;"),
      // Seen only through a relaxed read.
      two("static int x; static atomic_int go;", "x = 1; LOCKED() atomic_store_explicit(&go, 1, memory_order_relaxed);",
          "LOCKED() if (atomic_load_explicit(&go, memory_order_relaxed)) x = 2;"),
      two("static int x;", "x = 1; LOCKED() pthread_mutex_lock(&k); pthread_mutex_unlock(&k);",
          "LOCKED() if (pthread_mutex_trylock(&k)) x = 2; else pthread_mutex_unlock(&k);"),
      two("", "pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);",
          "pthread_mutex_lock(&k); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&k);"),
      // A waiting loop that was left for a moment and waits again.
      two("static atomic_int n = 1;", "while (n != 0) {}", "n = 2; LOCKED()"),
      two("static atomic_int n;", "n++; assert(n != 3); n++;", "n += 2; n--;"),
      two("static int *p; static atomic_int done;", "p = malloc(4); done = 1;",
          "while (!done) {} *p = 1; free(p); *p = 2;"),
      // A join that a request to end the thread ends, too: who was waited for is in nobody's way of the request.
      kHead +
          "#include <semaphore.h>\nstatic sem_t s; static pthread_t w;\n"
          "static void *work(void *p) { sem_wait(&s); return p; }\n"
          "static void *help(void *p) { pthread_join(w, 0); return p; }\n"
          "int main(void) { pthread_t h; void *r; sem_init(&s, 0, 0); pthread_create(&w, 0, work, 0);"
          " pthread_create(&h, 0, help, 0); sem_post(&s); pthread_cancel(h); pthread_join(h, &r);"
          " assert(r == PTHREAD_CANCELED); pthread_join(w, 0); return 0; }\n",
      // Whoever changes either word ends the wait.
      kHead +
          "static atomic_int a, b, c;\nstatic void *f(void *p) { while (!a && !b) {} assert(a || c); return p; }\n"
          "static void *g(void *p) { a = 1; c = 1; return p; }\nstatic void *h(void *p) { b = 1; return p; }\n"
          "int main(void) { pthread_t t[3]; pthread_create(&t[0], 0, f, 0); pthread_create(&t[1], 0, g, 0);"
          " pthread_create(&t[2], 0, h, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }\n",
      // The end of a wait by a request, and by a post.
      kHead +
          "#include <semaphore.h>\nstatic sem_t s; static atomic_int n;\n"
          "static void *work(void *p) { sem_wait(&s); n = 1; return p; }\n"
          "static void *help(void *p) { sem_post(&s); return p; }\n"
          "int main(void) { pthread_t w, h; void *r; sem_init(&s, 0, 0); pthread_create(&w, 0, work, 0);"
          " pthread_create(&h, 0, help, 0); pthread_cancel(w); pthread_join(w, &r);"
          " assert(r == PTHREAD_CANCELED || n == 0); pthread_join(h, 0); return 0; }\n",
      // The end of a block ends both mutexes in it.
      two("struct pair { pthread_mutex_t one, other; }; static struct pair *p; static atomic_int go;",
          "p = calloc(1, sizeof *p); pthread_mutex_init(&p->other, 0); go = 1; if (go != 2) { "
          "pthread_mutex_lock(&p->other); "
          "pthread_mutex_unlock(&p->other); }",
          "if (go) { int was = go; go = 2; if (was == 1) free(p); }"),
      two("static atomic_int n;", "for (int i = 0; i < 6; i++) n++;",
          "for (int i = 0; i < 6; i++) n++; assert(n > 6);"),
  };
  for (const std::string& text : programs) {
    const CProgram program(text);
    const Explored executions = full(program, 1'000'000), states = full(program, 0);
    EXPECT_FALSE(executions.findings.empty()) << text;
    EXPECT_EQ(ids(states), ids(executions)) << text;
    EXPECT_EQ(ids(full(program, 0, false)), ids(executions)) << text << "without sleep sets";
  }
}

// Where a path comes back to its own state nothing is known yet of who is in whose way. (By executions there is no end
// to it: each round is another one.)
// It succeeds if the thread has ended.
TEST(StateSearchOnC, AJoinThatOnlyTriesFindsBothOutcomes) {
  const std::string tries_to_join =
      "extern int pthread_tryjoin_np(pthread_t, void **);\nstatic void *f(void *p) { LOCKED() LOCKED() return p; }\n"
      "int main(void) { pthread_t t; ";
  const std::vector<std::string> programs = {
      kHead + tries_to_join + "pthread_create(&t, 0, f, 0); if (pthread_tryjoin_np(t, 0)) pthread_join(t, 0); else " +
          "abort(); return 0; }\n",
      kHead + tries_to_join + "pthread_create(&t, 0, f, 0); LOCKED() int late = pthread_tryjoin_np(t, 0); LOCKED() " +
          "if (late) pthread_join(t, 0); assert(late); return 0; }\n",
  };
  for (const std::string& text : programs) {
    const CProgram program(text);
    const Explored executions = full(program, 10'000'000);
    EXPECT_FALSE(executions.findings.empty()) << text;
    for (const bool sleep_sets : {true, false}) EXPECT_EQ(ids(full(program, 0, sleep_sets)), ids(executions)) << text;
  }
}

TEST(StateSearchOnC, AThreadInACycleHidesNoOther) {
  const CProgram program(two("static atomic_int n, go;", "while (!go) { n = 1; n = 0; }", "go = 1; assert(go == 0);"));
  for (const bool sleep_sets : {true, false}) {
    Task task;
    task.reductions = {.sleep_sets = sleep_sets, .states_before_matching = 0};
    task.follow_races = false;
    const Explored reduced = run(program, task);
    EXPECT_EQ(reduced.result.completeness, Completeness::Complete);
    EXPECT_EQ(reduced.findings.size(), 1u);
    task.reductions.dynamic_partial_order = false;
    EXPECT_EQ(ids(run(program, task)), ids(reduced));
  }
}

TEST(StateSearchOnC, FewStatesWhereExecutionsMultiply) {
  const CProgram program(
      kHead +
      "static atomic_int n;\nstatic void *f(void *p) { for (int i = 0; i < 4; i++) n++; return p; }\n"
      "int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);"
      " for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(n == 12); return 0; }\n");
  const Explored states = full(program, 0);
  EXPECT_TRUE(states.findings.empty());
  EXPECT_LT(states.result.statistics.events, 1'500u);
  EXPECT_EQ(full(program, 10'000'000).result.statistics.executions, 34'650u);  // 12! / 4!^3
}

// Threads that take one lock once each: which of them have had it, and which has it now.
std::string one_lock(uint32_t threads, const std::string& inside) {
  const std::string n = std::to_string(threads);
  return kHead +
         "static int x, last;\nstatic void *f(void *p) { long "
         "n = (long)p; (void)n; pthread_mutex_lock(&m); " +
         inside + " pthread_mutex_unlock(&m); return 0; }\nint main(void) { pthread_t t[" + n +
         "]; for (long i = 0; i < " + n + "; i++) pthread_create(&t[i], 0, f, (void *)i); for (int i = 0; i < " + n +
         "; i++) pthread_join(t[i], 0); assert(last != 1); return 0; }\n";
}

TEST(StateSearchOnC, ManyThreadsCostWhatTheirStatesDo) {
  for (const uint32_t threads : {8u, 10u, 12u}) {
    const Explored states = full(CProgram(one_lock(threads, "x++;")), Reductions().states_before_matching);
    EXPECT_EQ(states.result.completeness, Completeness::Complete);
    EXPECT_TRUE(states.findings.empty());
    EXPECT_LT(states.result.statistics.events, 3 * (threads << threads)) << threads << " threads";
  }
  for (const uint32_t threads : {2u, 3u, 4u}) {
    for (const std::string inside : {"if (x++ == 1) last = (int)n;", "if (n == 1) assert(x < 2); x++;",
                                     "x++; pthread_mutex_unlock(&m); if (n > 1) last = 0; pthread_mutex_lock(&m);"}) {
      const CProgram program(one_lock(threads, inside));
      Task task;
      task.reductions = {.dynamic_partial_order = false, .sleep_sets = false, .states_before_matching = 0};
      task.follow_races = false;
      EXPECT_EQ(ids(full(program, 0)), ids(run(program, task))) << threads << " threads: " << inside;
    }
  }
}

}  // namespace
}  // namespace heddle::explore
