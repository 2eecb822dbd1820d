// Step 1 where the threads of one role do different work: each instance that can come to the change stands at it, and
// beside it each that can interfere.
#include <gtest/gtest.h>

#include "tests/explore/c_program.h"

namespace heddle::explore {
namespace {

using Rules = std::set<std::string>;
const Rules kAssertion{"assertion"};

// main starts `count` threads of `worker`, which is given its number, and then runs `rest`.
std::string dispatching(int count, const std::string& functions, const std::string& rest = "") {
  const std::string n = std::to_string(count);
  return R"(
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, other;
)" + functions +
         R"(
int main(void) {
  pthread_t t[)" +
         n + R"(];
  for (long i = 0; i < )" +
         n + R"(; i++) pthread_create(&t[i], 0, worker, (void *)i);
  )" + rest +
         R"(
  for (int i = 0; i < )" +
         n + R"(; i++) pthread_join(t[i], 0);
  return 0;
}
)";
}

TEST(Instances, TheFourthThreadStandsAtTheChangeAndTheFifthInterferes) {
  const CProgram program(dispatching(5, R"(
static void *worker(void *arg) {
  switch ((long)arg) {
    case 3:
      assert(flag == 0);  // l_mod
      break;
    case 4: flag = 1; break;
    default: other++;
  }
  return 0;
}
)"));
  const Explored pair = run_pair(program, program.role("worker", 0), program.role("worker", 1));
  EXPECT_TRUE(pair.result.fragment_reached);
  EXPECT_EQ(pair.rules(), kAssertion);
  EXPECT_EQ(pair.result.completeness, Completeness::Complete);
}

TEST(Instances, AThirdThreadStandsAtTheChangeBesideMain) {
  const CProgram program(dispatching(3, R"(
static void *worker(void *arg) {
  if ((long)arg == 2)
    assert(flag == 0);  // l_mod
  else
    other++;
  return 0;
}
)",
                                     "flag = 1;"));
  const Explored first = run_pair(program, program.role("worker", 0), program.role("main"));
  EXPECT_FALSE(first.result.fragment_reached);  // the pair of instance 1 stands for the rest
  const Explored second = run_pair(program, program.role("worker", 1), program.role("main"));
  EXPECT_TRUE(second.result.fragment_reached);
  EXPECT_EQ(second.rules(), kAssertion);
}

// Inside the change the other thread of the pair alone may run.
TEST(Instances, AThirdThreadInterferesWithMain) {
  const CProgram program(dispatching(3, R"(
static void *worker(void *arg) {
  if ((long)arg == 2) flag = 1;
  return 0;
}
)",
                                     R"(
  assert(flag == flag);  // l_mod
)"));
  EXPECT_EQ(run_pair(program, program.role("main"), program.role("worker", 1)).rules(), kAssertion);
}

// Both threads have the change; only the second one fails there, because of what the first one does.
TEST(Instances, BothOrdersOfTwoThreadsThatDiffer) {
  const CProgram program(dispatching(2, R"(
static void changed(void) {
  assert(other != 1 || flag == 0);  // l_mod
}
static void *worker(void *arg) {
  if ((long)arg == 0) {
    changed();
    flag = 1;
    flag = 0;
  } else {
    other = 1;
    changed();
    other = 2;
  }
  return 0;
}
)"));
  EXPECT_EQ(run_pair(program, program.role("worker", 0), program.role("worker", 1)).rules(), kAssertion);
}

// What tells threads apart may be plain accesses alone: those of the third are not those of the others.
TEST(Instances, ThreadsDifferInPlainAccesses) {
  const CProgram program(dispatching(4, R"(
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance, total;
static int read_balance(void) {
  pthread_mutex_lock(&m);
  int value = balance;
  pthread_mutex_unlock(&m);
  return value;
}
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  if ((long)arg == 3) balance = 1; else total++;
  pthread_mutex_unlock(&m);
  return 0;
}
)",
                                     R"(
  assert(read_balance() == read_balance());  // l_mod
)"));
  EXPECT_EQ(run_pair(program, program.role("main"), program.role("worker", 1)).rules(), kAssertion);
}

TEST(Instances, NoThreadComesToTheChange) {
  const CProgram program(dispatching(3, R"(
static void *worker(void *arg) {
  if ((long)arg == 7)
    assert(flag == 0);  // l_mod
  else
    flag = 1;
  return 0;
}
)"));
  const Explored pair = run_pair(program, program.role("worker", 0), program.role("worker", 1));
  EXPECT_FALSE(pair.result.fragment_reached);
  EXPECT_TRUE(pair.findings.empty());
}

// Threads that do the same stand for each other: four cost what their one pair costs.
TEST(Instances, ThreadsThatDoTheSameAreExploredOnce) {
  const std::string worker = R"(
static void *worker(void *arg) {
  flag++;  // l_mod
  other = (int)(long)arg;
  return 0;
}
)";
  const CProgram alike(dispatching(4, worker));
  const Explored pair = run_pair(alike, alike.role("worker", 0), alike.role("worker", 1));
  std::string differing = worker;
  differing.insert(differing.find("  return 0;"), "  if ((long)arg == 3) flag--;\n");
  const CProgram unlike(dispatching(4, differing));
  const Explored more = run_pair(unlike, unlike.role("worker", 0), unlike.role("worker", 1));
  EXPECT_LT(3 * pair.result.statistics.states, more.result.statistics.states);
}

}  // namespace
}  // namespace heddle::explore
