// Threads that do the same: states up to their names, against the searches that tell them apart.
#include <gtest/gtest.h>

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

Explored explored(const std::string& text, bool alike) {
  Task task;
  task.mode = Mode::Full;
  task.minimise = false;
  task.reductions.states_before_matching = 0;
  task.reductions.alike_threads = alike;
  task.reductions.probes = false;
  return run(CProgram(text), task);
}

// How many times as many states there are when names count.
double saved_by_names(const std::string& text) {
  const Explored with = explored(text, true), without = explored(text, false);
  EXPECT_EQ(with.result.completeness, Completeness::Complete) << text;
  EXPECT_EQ(without.result.completeness, Completeness::Complete) << text;
  std::set<std::string> ids, expected;
  for (const auto& finding : with.findings) ids.insert(finding.id);
  for (const auto& finding : without.findings) expected.insert(finding.id);
  EXPECT_EQ(ids, expected) << text;
  return static_cast<double>(without.result.statistics.events) /
         static_cast<double>(std::max<uint64_t>(1, with.result.statistics.events));
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
  EXPECT_GT(explored(decides, true).result.statistics.events, 10 * explored(idle, true).result.statistics.events);
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
  EXPECT_FALSE(explored(text, true).findings.empty());
}

}  // namespace
}  // namespace heddle::explore
