// Loops that wait, in threads that could go round for ever: the searches go on from each state of a path once.
#include <gtest/gtest.h>

#include <array>

#include "tests/explore/c_program.h"

namespace heddle::explore {
namespace {

const std::string kHead = "#include <pthread.h>\n#include <stdatomic.h>\n";

// Two threads that give way to each other could do so any number of times, each time with later clocks.
TEST(PairwiseOnC, ThreadsThatGiveWayAreGoneOnFromOnce) {
  const CProgram program(kHead + R"(
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static void take(pthread_mutex_t *a, pthread_mutex_t *b) {
  while (1) {
    pthread_mutex_lock(a);
    if (pthread_mutex_trylock(b) == 0) break;
    pthread_mutex_unlock(a);
    pthread_mutex_t *other = a;
    a = b;
    b = other;
  }
  pthread_mutex_unlock(a);
  pthread_mutex_unlock(b);
}
static void *one(void *arg) { take(&first, &second);  // l_mod
  return arg; }
static void *two(void *arg) { take(&second, &first); return arg; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  for (int n = 0; n < 2; n++) pthread_join(t[n], 0);
  return 0;
}
)");
  const Explored pair = run_pair(program, program.role("one"), program.role("two"));
  EXPECT_EQ(pair.result.completeness, Completeness::Complete);
  EXPECT_TRUE(pair.rules().empty());
  EXPECT_LT(pair.result.statistics.executions, 5'000u);
}

// The order in which threads took a lock before is no part of a state.
TEST(PairwiseOnC, StatesAreTheSameWhateverCameBefore) {
  const CProgram program(kHead + R"(
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void add(void) {
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
}
static void *edited(void *arg) {
  pthread_mutex_lock(&lock);
  sum += 2;  // l_mod
  pthread_mutex_unlock(&lock);
  return arg;
}
static void *adds(void *arg) { for (int n = 0; n < 4; n++) add(); return arg; }
int main(void) {
  pthread_t t[4];
  for (int n = 0; n < 4; n++) pthread_create(&t[n], 0, n == 0 ? edited : adds, 0);
  for (int n = 0; n < 4; n++) pthread_join(t[n], 0);
  return 0;
}
)");
  const Explored pair = run_pair(program, program.role("edited"), program.role("adds"));
  EXPECT_EQ(pair.result.completeness, Completeness::Complete);
  EXPECT_LT(pair.result.statistics.states, 6'000u);
}

// What was read without order may say that the other thread is past its access: then the way there matters.
TEST(PairwiseOnC, StatesDifferByTheirClocksAfterARelaxedRead) {
  const CProgram program(kHead + R"(
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int data;
static atomic_int told;
static void pass(pthread_mutex_t *m) {
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
}
static void *edited(void *arg) {
  pass(&other);
  data = 1;  // l_mod
  pass(&lock);
  atomic_store_explicit(&told, 1, memory_order_relaxed);
  return arg;
}
static void *reads(void *arg) {
  pass(&other);
  pass(&lock);
  if (atomic_load_explicit(&told, memory_order_relaxed) == 0) return arg;
  pass(&other);
  return data != 0 ? arg : 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, edited, 0);
  pthread_create(&t[1], 0, reads, 0);
  for (int n = 0; n < 2; n++) pthread_join(t[n], 0);
  return 0;
}
)");
  EXPECT_EQ(run_pair(program, program.role("edited"), program.role("reads")).rules(),
            std::set<std::string>{"data-race"});
}

// What is read through one function, as a std::atomic is, are different words: the loop comes back to the call, not to
// the place in the function alone.
TEST(FullOnC, LoopsThatReadSeveralWordsByOneFunctionWait) {
  const CProgram program(kHead + R"(
static atomic_int a, b;
__attribute__((noinline)) static int get(atomic_int *from) { return *from; }
static void *tells(void *arg) { a = 1; b = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, tells, 0);
  while (!(get(&a) & get(&b))) {}
  pthread_join(t, 0);
  return 0;
}
)");
  const Explored all = run_full(program);
  EXPECT_EQ(all.result.completeness, Completeness::Complete);
  EXPECT_TRUE(all.rules().empty());
  EXPECT_LT(all.result.statistics.executions, 100u);
}

// No path of such a program comes to an end. The search by executions, which knows no states, would go round once more
// after each that came back to one.
TEST(FullOnC, ThreadsThatGoRoundForEverHaveFewStates) {
  const auto program = [](const std::string& wait, const std::string& pass, const std::string& main_does) {
    return kHead +
           "#include <sched.h>\nstatic atomic_int token[3] = {1, 0, 0};\nstatic void *run(void *p) { long k = (long)p; "
           "for "
           "(;;) { " +
           wait + pass +
           " } }\nint main(void) { pthread_t t[2]; for (long i = 0; i < 2; i++) "
           "pthread_create(&t[i], 0, run, (void *)i); " +
           main_does + " }\n";
  };
  const std::string waits = "while (!token[k]); ", takes = "while (!atomic_exchange(&token[k], 0)) sched_yield(); ",
                    passes = "token[k] = 0; token[1 - k] = 1;", hands = "atomic_store(&token[1 - k], 1);",
                    joins = "pthread_join(t[0], 0); pthread_join(t[1], 0); return 0;", leaves = "return 0;";
  for (const auto& [wait, pass, main_does, rule] : std::vector<std::array<std::string, 4>>{
           {waits, passes, joins, "livelock"},
           {takes, hands, joins, "livelock"},
           {waits, passes + "token[2] = k;", "while (token[2] != 1); " + leaves, ""},
           {"int none = 0; ", "atomic_compare_exchange_strong(&token[2], &none, 1 - k);", joins, "livelock"}}) {
    const std::string text = program(wait, pass, main_does);
    const Explored all = run_full(CProgram(text));
    EXPECT_EQ(all.result.completeness, Completeness::Complete) << text;
    EXPECT_TRUE(all.result.limits.empty()) << text;
    if (rule.empty())
      EXPECT_FALSE(all.rules().contains("livelock")) << text;
    else
      EXPECT_TRUE(all.rules().contains(rule)) << text;
    EXPECT_LT(all.result.statistics.states, 30'000u) << text;
  }
}

}  // namespace
}  // namespace heddle::explore
