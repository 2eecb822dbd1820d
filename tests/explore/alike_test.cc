// Threads that do the same: states up to their names, against the searches that tell them apart.
#include <gtest/gtest.h>

#include "server/explore/splitmix.h"
#include "tests/explore/c_program.h"

namespace heddle::explore {
namespace {

std::string workers(const std::string& globals, const std::string& worker, int threads = 5,
                    const std::string& behind = "") {
  const std::string n = std::to_string(threads);
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
         "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n" +
         globals + "\nstatic void *worker(void *arg) { int n = (int)(long)arg; (void)n; " + worker +
         " return 0; }\nint main(void) { pthread_t t[" + n + "]; for (long i = 0; i < " + n +
         "; i++) pthread_create(&t[i], 0, worker, (void *)i); for (int i = 0; i < " + n +
         "; i++) pthread_join(t[i], 0); " + behind + " return 0; }\n";
}

Explored explored(const CProgram& program, bool alike, uint64_t states_max = 0, bool races = true) {
  Task task;
  task.mode = Mode::Full;
  task.minimise = false;
  task.reductions.states_before_matching = 0;
  task.reductions.alike_threads = alike;
  task.reductions.probes = false;
  task.machine.detect_races = races;
  if (states_max != 0) task.budget.states_max = states_max;
  return run(program, task);
}

std::set<std::string> ids_of(const Explored& explored) {
  std::set<std::string> ids;
  for (const auto& finding : explored.findings) ids.insert(finding.id);
  return ids;
}

// How many times as many states there are when names count.
double saved_by_names(const std::string& text) {
  const CProgram program(text);
  const Explored with = explored(program, true), without = explored(program, false);
  EXPECT_EQ(with.result.completeness, Completeness::Complete) << text;
  EXPECT_EQ(without.result.completeness, Completeness::Complete) << text;
  EXPECT_EQ(ids_of(with), ids_of(without)) << text;
  return static_cast<double>(without.result.statistics.events) /
         static_cast<double>(std::max<uint64_t>(1, with.result.statistics.events));
}

// The same with names and without them, and something.
bool both_find(const std::string& text) {
  saved_by_names(text);
  return !explored(CProgram(text), true).findings.empty();
}

const std::string kCounts = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";

TEST(AlikeThreads, FewerStates) {
  EXPECT_GT(saved_by_names(workers("static int x;", kCounts, 7, "assert(x == 7);")), 3);
  EXPECT_GT(saved_by_names(workers("static int x;", kCounts + kCounts, 5, "assert(x == 10);")), 3);
  EXPECT_GT(saved_by_names(workers("static atomic_int x;", "x++; x++;", 5)), 1);
}

// What they are given differs, but decides nothing.
TEST(AlikeThreads, ValuesThatDecideNothingAreNoDifference) {
  const std::string puts = "pthread_mutex_lock(&m); items[tail++] = n; pthread_mutex_unlock(&m);";
  const std::string idle = workers("static int items[8], tail;", puts, 6);
  const std::string decides = workers("static int items[8], tail;", puts, 6, "assert(items[0] <= items[1]);");
  EXPECT_GT(saved_by_names(idle), 10);
  saved_by_names(decides);
  EXPECT_GT(explored(CProgram(decides), true).result.statistics.events,
            10 * explored(CProgram(idle), true).result.statistics.events);
}

// Each is given a lock and a neighbour of its own. That all of them end makes them no more alike.
TEST(AlikeThreads, ThreadsThatAreNeverAlikeCostFewStatesMore) {
  const std::string shifts =
      "pthread_mutex_lock(&f[n]); x[n] = x[n] * 2 + 1; pthread_mutex_unlock(&f[n]);"
      " pthread_mutex_lock(&f[(n + 1) % 7]); x[(n + 1) % 7] += n; pthread_mutex_unlock(&f[(n + 1) % 7]);";
  const CProgram program(workers("static pthread_mutex_t f[7]; static int x[7];", shifts, 7));
  const Explored without = explored(program, false), with = explored(program, true);
  EXPECT_EQ(with.result.completeness, Completeness::Complete);
  EXPECT_LE(with.result.statistics.states, without.result.statistics.states + 50'000);
}

TEST(AlikeThreads, ErrorsAreFoundAsBySearchesWithNames) {
  saved_by_names(workers("static int x;", "x++;"));
  saved_by_names(workers("static int x;", kCounts + "if (x == 3) x = 0;"));
  saved_by_names(workers("static int x;", kCounts, 5, "assert(x != 5);"));
  saved_by_names(workers("static int x;", "pthread_mutex_lock(&m); if (++x != 3) pthread_mutex_unlock(&m);"));
  saved_by_names(workers("static int x;",
                         "pthread_mutex_lock(&m); if (++x == 5) pthread_cond_signal(&c); else "
                         "pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"));
  saved_by_names(workers("static int x;",
                         "pthread_mutex_lock(&m); if (++x == 5) pthread_cond_broadcast(&c); else "
                         "pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"));
  saved_by_names(workers("static pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER; static int x;",
                         "pthread_mutex_lock(&m); int mine = x++; pthread_mutex_unlock(&m); if (mine % 2) { "
                         "pthread_mutex_lock(&m); pthread_mutex_lock(&o); } else { pthread_mutex_lock(&o); "
                         "pthread_mutex_lock(&m); } pthread_mutex_unlock(&o); pthread_mutex_unlock(&m);",
                         4));
  saved_by_names(workers("static atomic_int x; static int *p;",
                         "if (x++ == 2) p = 0; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"));
  saved_by_names(workers("static int x[8];",
                         "pthread_mutex_lock(&m); x[n % 2]++; pthread_mutex_unlock(&m); "
                         "if (n == 3) x[0] = 1;"));
}

// Names that count: only one of the threads errs, or main looks at them one by one.
TEST(AlikeThreads, NamesThatCount) {
  saved_by_names(workers("static int x;", kCounts + "if (n == 2) { pthread_mutex_lock(&m); assert(x != 5); "
                                                    "pthread_mutex_unlock(&m); }"));
  saved_by_names(workers("static pthread_t first; static int x;",
                         "pthread_mutex_lock(&m); if (x++ == 0) first = pthread_self(); int me = pthread_equal(first, "
                         "pthread_self()); int all = x; pthread_mutex_unlock(&m); assert(!me || all != 2);"));
  saved_by_names(
      "#include <assert.h>\n#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static int x;\nstatic void *worker(void *p) { pthread_mutex_lock(&m); x++; "
      "pthread_mutex_unlock(&m); return 0; }\n"
      "int main(void) { pthread_t t[5]; for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, worker, 0);\n"
      "for (int i = 0; i < 5; i++) { pthread_join(t[i], 0); pthread_mutex_lock(&m); assert(i || x != 2); "
      "pthread_mutex_unlock(&m); } return 0; }\n");
  saved_by_names(
      "#include <assert.h>\n#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static long x;\nstatic void *worker(void *p) { pthread_mutex_lock(&m); long mine = x++; "
      "pthread_mutex_unlock(&m); return (void *)mine; }\n"
      "int main(void) { pthread_t t[5]; for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, worker, 0);\n"
      "long r[5]; for (int i = 0; i < 5; i++) pthread_join(t[i], (void **)&r[i]); "
      "assert(r[0] != 3 || r[1] != 4); return 0; }\n");
}

// A worker that joins the first one: only if it is not the first one itself. So who it is decides.
TEST(AlikeThreads, WorkersThatNameEachOther) {
  const std::string text =
      "#include <assert.h>\n#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static int x;\nstatic pthread_t t[5];\nstatic void *worker(void *p) { pthread_mutex_lock(&m); int mine = x++; "
      "pthread_mutex_unlock(&m); if (mine == 1) assert(pthread_join(t[0], 0) == 0); return 0; }\n"
      "int main(void) { for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, worker, 0);\n"
      "for (int i = 1; i < 5; i++) pthread_join(t[i], 0); return 0; }\n";
  saved_by_names(text);
  EXPECT_FALSE(explored(CProgram(text), true).findings.empty());
}

// One thread is known by another way than by what it does: main leaves it out, or looks whether it is over; a worker
// joins it.
TEST(AlikeThreads, OneThreadThatIsKnown) {
  const auto program = [](const std::string& worker, const std::string& joins) {
    return "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
           "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
           "static int x, over; static pthread_t first;\nstatic void *worker(void *p) { pthread_mutex_lock(&m); int "
           "mine "
           "= x++; pthread_t it = first; pthread_mutex_unlock(&m); (void)it; " +
           worker +
           " return 0; }\nint main(void) { pthread_t t[5]; pthread_mutex_lock(&m); for (int i = 0; i < 5; i++) { "
           "pthread_create(&t[i], 0, worker, 0); if (i == 0) first = t[0]; } pthread_mutex_unlock(&m);\n" +
           joins + " return 0; }\n";
  };
  const std::string last = "if (mine == 4) { pthread_mutex_lock(&m); over = 1; pthread_mutex_unlock(&m); }",
                    others = "for (int i = 1; i < 5; i++) pthread_join(t[i], 0);",
                    is_over = "pthread_mutex_lock(&m); assert(over); pthread_mutex_unlock(&m);",
                    waits =
                        "if (mine == 3) { pthread_mutex_lock(&m); while (!over) pthread_cond_wait(&c, &m); "
                        "pthread_mutex_unlock(&m); }";
  EXPECT_TRUE(both_find(program(last, others + is_over)));
  EXPECT_TRUE(both_find(program(last, "pthread_detach(t[0]);" + others + is_over)));
  EXPECT_TRUE(both_find(program(last,
                                "int busy = pthread_tryjoin_np(t[2], 0); pthread_join(t[0], 0); pthread_join(t[1], "
                                "0); pthread_join(t[3], 0); pthread_join(t[4], 0); assert(busy);")));
  EXPECT_TRUE(both_find(program("if (mine == 1) { pthread_join(it, 0); exit(0); }" + waits, others)));
}

// A search for races ends here after an unsuccessful try. One without races depends on what main found.
TEST(AlikeThreads, OneThreadThatIsLookedAtWithoutRaces) {
  const CProgram program(
      "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n"
      "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int x;\n"
      "static void *worker(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n"
      "int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, 0);\n"
      "pthread_mutex_lock(&m); int n = x; pthread_mutex_unlock(&m);\n"
      "int busy = n == 1 ? pthread_tryjoin_np(t[2], 0) : !pthread_join(t[2], 0);\n"
      "pthread_join(t[0], 0); pthread_join(t[1], 0); pthread_join(t[3], 0); assert(busy); return 0; }\n");
  const Explored with = explored(program, true, 0, false), without = explored(program, false, 0, false);
  EXPECT_TRUE(without.rules().contains("assertion"));
  EXPECT_EQ(ids_of(with), ids_of(without));
}

TEST(AlikeThreads, WhatAThreadHasForItself) {
  const std::string first = "pthread_mutex_lock(&m); mine = x++; pthread_mutex_unlock(&m);",
                    then = "pthread_mutex_lock(&m); y++; assert(mine != 0 || y != 4); pthread_mutex_unlock(&m);",
                    named =
                        "*own() = 5; pthread_mutex_lock(&m); if (x++ == 0) first = own(); pthread_mutex_unlock(&m); "
                        "pthread_mutex_lock(&m); y++; assert(first != own() || y != 4); pthread_mutex_unlock(&m);";
  EXPECT_TRUE(both_find(workers("static int x, y; static _Thread_local int mine;", first + then, 4)));
  EXPECT_TRUE(both_find(workers("static int x, y; static _Thread_local long mine;", first + then, 4)));
  EXPECT_TRUE(both_find(workers("static int x, y;", "volatile int mine;" + first + then, 4)));
  EXPECT_TRUE(both_find(workers("#include <errno.h>\n#define mine errno\nstatic int x, y;", first + then, 4)));
  EXPECT_TRUE(
      both_find(workers("static int x, y; static _Thread_local int mine; static int *first; "
                        "__attribute__((noinline)) static int *own(void) { return &mine; }",
                        named, 4)));
  EXPECT_TRUE(both_find(
      workers("#include <stdlib.h>\nstatic int x, y; static pthread_key_t k; static int *first;\n"
              "static int *own(void) { if (!pthread_getspecific(k)) pthread_setspecific(k, malloc(4)); return "
              "pthread_getspecific(k); }\n__attribute__((constructor)) static void make(void) { pthread_key_create(&k, "
              "free); }",
              named, 4)));
}

// What names no thread.
TEST(AlikeThreads, SleepsDataSectionsAndChildren) {
  const std::string then = "pthread_mutex_lock(&m); y += mine; assert(y != 6); pthread_mutex_unlock(&m);",
                    first = "pthread_mutex_lock(&m); int mine = x++; pthread_mutex_unlock(&m);";
  const std::string globals = "static int x, y;";
  EXPECT_TRUE(both_find(workers("#include <unistd.h>\n" + globals, first + "usleep(1);" + then)));
  EXPECT_TRUE(both_find(workers("_Bool __VERIFIER_nondet_bool(void);\n" + globals,
                                "_Bool b = __VERIFIER_nondet_bool();" + first + "if (b) {" + then + "}", 4)));
  EXPECT_TRUE(both_find(workers(
      "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n" + globals,
      "__VERIFIER_atomic_begin(); int mine = x++; __VERIFIER_atomic_end(); __VERIFIER_atomic_begin(); y += mine; "
      "assert(y != 6); __VERIFIER_atomic_end();")));
  EXPECT_TRUE(
      both_find(workers(globals + "static void *child(void *p) { int mine = *(int *)p; " + then + " return 0; }",
                        first + "pthread_t c; pthread_create(&c, 0, child, &mine); pthread_join(c, 0);", 4)));
}

// Threads that do the same, at random: what they find without names is what they find with them.
class RandomWorkers {
 public:
  explicit RandomWorkers(uint32_t seed) : state_(seed) {}
  std::string text() {
    std::string body;
    const uint32_t blocks = below(4) == 0 ? 3 : 2;
    for (uint32_t n = 0; n < blocks; ++n) {
      if (below(5) == 0) body += "if (z++ == " + number() + ") y = x;";
      body += "pthread_mutex_lock(&m);" + statement() + statement() + "pthread_mutex_unlock(&m);";
    }
    if (below(8) == 0) body += "y++;";
    const std::string from = below(6) == 0 ? "1" : "0";
    return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
           "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
           "static int x, y, a[2], *first; static atomic_int z; static _Thread_local int own;\n"
           "__attribute__((noinline)) static int *own_address(void) { return &own; }\n"
           "static void *worker(void *arg) { int n = (int)(long)arg, mine = 0; (void)n; (void)mine;" +
           body +
           " return 0; }\nint main(void) { pthread_t t[4]; for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, "
           "worker, "
           "(void *)i);\nfor (int i = " +
           from + "; i < 4; i++) pthread_join(t[i], 0); pthread_mutex_lock(&m); assert(y != " + number() +
           "); pthread_mutex_unlock(&m); return 0; }\n";
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next_random(state_) % n); }
  std::string number() { return std::to_string(below(5)); }
  std::string statement() {
    switch (below(14)) {
      case 0:
      case 1: return "mine = x++;";
      case 2: return "y += mine;";
      case 3: return "if (mine == " + number() + ") y++;";
      case 4: return "own = x++;";
      case 5: return "if (own == " + number() + ") y++;";
      case 6: return "if (n == " + number() + ") y = x;";
      case 7: return "a[n % 2]++;";
      case 8: return "assert(a[0] != 2 || y != " + number() + ");";
      case 9: return "if (x == " + number() + ") pthread_cond_signal(&c);";
      case 10: return "if (x++ == " + number() + ") pthread_cond_wait(&c, &m);";
      case 11: return "if (!first) first = own_address();";
      case 12: return "if (first == own_address()) y++;";
      default: return "assert(y != " + number() + " || x != " + number() + ");";
    }
  }
  uint64_t state_;
};

TEST(AlikeThreads, RandomWorkersFindTheSameWithNames) {
  uint32_t alike = 0, compared = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    const std::string text = RandomWorkers(seed).text();
    const CProgram program(text);
    const Explored without = explored(program, false, 20000);
    if (without.result.completeness != Completeness::Complete) continue;
    const Explored with = explored(program, true);
    ASSERT_EQ(ids_of(with), ids_of(without)) << "seed " << seed << "\n" << text;
    ++compared;
    alike += with.result.statistics.events < without.result.statistics.events;
  }
  EXPECT_GT(compared, 25u);
  EXPECT_GT(alike, 10u);
}

}  // namespace
}  // namespace heddle::explore
