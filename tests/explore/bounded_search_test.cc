// Interleavings with few preemptive switches: against brute force that counts them.
#include <gtest/gtest.h>

#include <set>

#include "server/explore/bounded_search.h"
#include "tests/explore/c_program.h"
#include "tests/explore/random_toy.h"

namespace heddle::explore {
namespace {

using toy::Code;
using toy::Program;
using toy::Toy;

// Where a fault or the end of the process finds the other threads is no matter.
std::string outcome_of(const Toy& toy) {
  const std::string state = toy.describe();
  return toy.outcome() == machine::Outcome::Running ? state
                                                    : "cut short" + state.substr(state.rfind(' ', state.size() - 2));
}

struct Recorder {
  Toy& toy;
  StateSummaries& noted;
  std::set<std::string>& outcomes;
  StateSummaries::Step step = {};

  bool relevant(const machine::Operation&) const { return true; }
  bool stepped(machine::ThreadId) { return true; }
  void about_to(machine::ThreadId thread) {
    step.clear(thread.value);
    noted.add_operation(step, footprint(toy.pending(thread)));
  }
  bool used_unsynchronised_read(machine::ThreadId) const { return false; }
  void ended(PathEnd) { outcomes.insert(outcome_of(toy)); }
  void beyond(Beyond) { FAIL(); }
};

struct Climbed {
  std::set<std::string> outcomes;
  BoundedEnd end = BoundedEnd::Covered;
};

Climbed ladder(const Program& program, uint32_t switches, bool every_cell) {
  SharedCells cells;
  StateSummaries noted(cells);
  while (true) {
    Climbed climbed;
    Toy toy(program);
    Recorder recorder{toy, noted, climbed.outcomes};
    Statistics statistics;
    BoundedSearch<Toy, Recorder> search(toy, recorder, statistics, cells, false, every_cell);
    climbed.end = search.run(switches, 1'000'000);
    every_cell |= climbed.end == BoundedEnd::Cycle;
    if (climbed.end == BoundedEnd::Covered || climbed.end == BoundedEnd::Everything) return climbed;
    if (climbed.end != BoundedEnd::NewlyShared && climbed.end != BoundedEnd::Cycle) ADD_FAILURE();
  }
}

// Every interleaving in which a thread that could go on makes room for another at most `left` times.
void walk(Toy& toy, uint32_t running, uint32_t left, std::set<std::string>& seen, std::set<std::string>& outcomes) {
  bool moved = false;
  const bool goes_on = running != ~0u && toy.enabled(machine::ThreadId(running));
  for (uint32_t n = 0; n < toy.thread_count() && toy.outcome() == machine::Outcome::Running; ++n) {
    const machine::ThreadId thread(n);
    if (!toy.enabled(thread)) continue;
    moved = true;
    const bool preempts = goes_on && n != running;
    if (preempts && left == 0) continue;
    const uint32_t alternatives = toy.pending(thread).alternatives;
    for (uint32_t a = 0; a < alternatives; ++a) {
      Toy next = toy;
      next.perform(thread, a);
      const uint32_t then = left - (preempts ? 1 : 0);
      if (seen.insert(next.describe() + " " + std::to_string(n) + " " + std::to_string(then)).second)
        walk(next, n, then, seen, outcomes);
    }
  }
  if (!moved) outcomes.insert(outcome_of(toy));
}

std::set<std::string> by_force(const Program& program, uint32_t switches) {
  std::set<std::string> seen, outcomes;
  Toy toy(program);
  walk(toy, ~0u, switches, seen, outcomes);
  return outcomes;
}

bool contains(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// With switches at every cell the bound is exact. Without those that nobody can notice some paths with more are met,
// and none with as many is lost.
TEST(BoundedSearch, RandomProgramsReachTheEndsOfSoManySwitches) {
  std::mt19937 random(toy::seed_of("few switches", 7));
  uint32_t covered = 0, everything = 0, fewer = 0;
  for (int round = 0; round < 200; ++round) {
    const Program program =
        round % 4 == 3 ? toy::random_created(random, round % 8 != 3) : toy::random_program(random, round % 3 != 0);
    const std::set<std::string> all = by_force(program, 1000);
    for (uint32_t switches = 0; switches < 4; ++switches) {
      const std::set<std::string> brute = by_force(program, switches);
      const Climbed exact = ladder(program, switches, true), climbed = ladder(program, switches, false);
      const std::string text = toy::text(program) + " round " + std::to_string(round) + ", " + std::to_string(switches);
      ASSERT_TRUE(contains(exact.outcomes, brute)) << text;
      ASSERT_TRUE(contains(climbed.outcomes, brute)) << text;
      ASSERT_TRUE(contains(all, climbed.outcomes)) << text;
      for (const Climbed& one : {exact, climbed}) {
        ASSERT_TRUE(one.end == BoundedEnd::Covered || one.outcomes == all) << text;
      }
      (climbed.end == BoundedEnd::Everything ? everything : covered) += 1;
      fewer += exact.outcomes.size() < all.size();
    }
  }
  EXPECT_GT(covered, 100u);
  EXPECT_GT(everything, 100u);
  EXPECT_GT(fewer, 50u);
}

const char* kHandOver =
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int a, b;\n"
    "static void *f(void *p) { a = 1; if (b == 1) { a = 2; if (b == 2) assert(!p); } return p; }\n"
    "static void *g(void *p) { if (a == 1) { b = 1; if (a == 2) b = 2; } return p; }\n"
    "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, &a); pthread_create(&u, 0, g, 0);"
    " pthread_join(t, 0); pthread_join(u, 0); return 0; }\n";

// f sets a and is preempted; g answers and is preempted; f sets a again and is preempted; g ends, and f fails.
TEST(BoundedSearch, AnErrorIsMetWithAsManySwitchesAsItNeeds) {
  const CProgram program(kHandOver);
  Task task;
  task.ladder_share = 1;
  task.budget.seconds = 100;
  const Explored all = run(program, task);
  EXPECT_EQ(all.result.completeness, Completeness::Complete);
  EXPECT_EQ(all.rules(), std::set<std::string>{"assertion"});
  task.stop_at_first = true;
  task.minimise = false;
  const Explored first = run(program, task);
  EXPECT_EQ(first.findings.size(), 1u);
  EXPECT_EQ(first.result.statistics.switches, 3u) << "nothing is found with 0, 1 and 2";
}

// What is not complete within its time says how far it came.
TEST(BoundedSearch, ASearchThatIsCutSaysHowFarItCame) {
  const CProgram program(
      "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int a[8], x;\n"
      "static void *f(void *p) { for (int i = 0; i < 12; i++) { a[(long)p] = x * 3 + i; x = x + a[(long)p]; } return "
      "p; }\n"
      "int main(void) { pthread_t t[5]; for (long i = 0; i < 5; i++) pthread_create(&t[i], 0, f, (void *)i);"
      " for (int i = 0; i < 5; i++) pthread_join(t[i], 0); return 0; }\n");
  Task task;
  task.budget.seconds = 2;
  task.ladder_share = 0.5;
  std::string stand;
  Listener listener;
  listener.saved = [&](const std::string& bytes, const Statistics&) { stand = bytes; };
  const Result cut = explore(program.image, program.facts.get(), task, listener);
  EXPECT_EQ(cut.completeness, Completeness::TimeLimit);
  EXPECT_GE(cut.statistics.switches, 1u);
  ASSERT_FALSE(stand.empty());
  task.resume = stand;
  const Result further = explore(program.image, program.facts.get(), task, {});
  EXPECT_GE(further.statistics.switches, cut.statistics.switches) << "what was covered stays so";
  task.resume.clear();
  task.ladder_share = 0;
  EXPECT_EQ(explore(program.image, program.facts.get(), task, {}).statistics.switches, 0u);
}

}  // namespace
}  // namespace heddle::explore
