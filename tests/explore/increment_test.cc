// The pairwise search and the search over relevant objects on C programs: the worked examples of the paper.
#include <gtest/gtest.h>

#include "tests/explore/c_threads.h"

namespace heddle::explore {
namespace {

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
static void *waits(void *arg) { )" +
                           wait + R"( return arg; }
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
      EXPECT_EQ(run(program, task).rules(), std::set<std::string>{"assertion"})
          << wait << (trees ? "" : ", source sets");
    }
  }
}

}  // namespace
}  // namespace heddle::explore
