// Findings on C programs: replayed, made shorter, found at random; budgets and limits.
#include <gtest/gtest.h>

#include "tests/explore/c_threads.h"

namespace heddle::explore {
namespace {

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

// The search meets an error of a loop in the last round first; the finding shows it in the first round.
TEST(MinimiseOnC, AnErrorOfEachRoundIsToldInTheFirst) {
  const CProgram program(kHead + R"(
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) {
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  return p;
}
static void *two(void *p) {
  pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  return p;
}
int main(void) {
  for (int n = 0; n < 40; n++) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
    pthread_join(s, 0); pthread_join(t, 0);
  }
}
)");
  const Explored all = run_full(program);
  const detect::Finding* const deadlock = all.of("deadlock");
  ASSERT_NE(deadlock, nullptr);
  EXPECT_LE(deadlock->schedule.size(), 8u);
  EXPECT_EQ(all.of("deadlock")->places.front().thread, "worker 1 (one)");
}

}  // namespace
}  // namespace heddle::explore
