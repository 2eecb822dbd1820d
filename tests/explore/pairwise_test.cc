// The pairwise search on toy programs: the worked examples of the paper, and what it is known to miss.
#include <gtest/gtest.h>

#include <set>

#include "server/explore/pairwise_search.h"
#include "tests/explore/toy.h"

namespace heddle::explore {
namespace {

using machine::ThreadId;
using toy::Code;
using toy::Program;
using toy::Thread;
using toy::Toy;

struct Result {
  std::set<std::string> outcomes;
  uint32_t faults = 0, stuck = 0, arrivals = 0;
  uint32_t before_other_ended = 0;  // paths on which the process ended before T_j
  Statistics statistics;
};

// Knows the fragment as positions of one thread's list.
struct Client {
  Toy& toy;
  Result& result;
  ThreadId first, second;
  std::set<uint32_t> fragment;
  std::set<uint32_t> approach;
  std::vector<machine::Operation> seen;
  bool grew = false;

  ThreadId modified() const { return first; }
  ThreadId other() const { return second; }
  int64_t fragment_position(ThreadId thread) const {
    return fragment.count(toy.position(thread)) ? 2 * int64_t{toy.position(thread)} : -1;
  }
  bool approaches(ThreadId thread) const { return approach.count(toy.position(thread)) != 0; }
  void reached() {}
  bool arrived(ThreadId) {
    ++result.arrivals;
    return true;
  }
  void touches(const machine::Operation& operation) {
    for (const auto& known : seen) {
      if (known.kind == operation.kind && known.object == operation.object) return;
    }
    seen.push_back(operation);
    grew = true;
  }
  bool reduces() const { return false; }
  bool relevant(const machine::Operation&) const { return true; }
  bool interesting(const machine::Operation& operation) const {
    for (const auto& known : seen) {
      if (dependent(footprint(known), footprint(operation))) return true;
    }
    return false;
  }
  bool stepped(ThreadId) { return true; }
  void beyond(Beyond) { FAIL(); }
  void ended(PathEnd how) {
    result.outcomes.insert(toy.describe());
    result.faults += how == PathEnd::Faulted;
    result.before_other_ended +=
        toy.outcome() == machine::Outcome::Finished && toy.status(second) != machine::ThreadStatus::Ended;
    for (uint32_t thread = 0; how == PathEnd::Stuck && thread < toy.thread_count(); ++thread) {
      if (toy.status(ThreadId(thread)) == machine::ThreadStatus::Ended) continue;
      ++result.stuck;
      break;
    }
  }
};

Result pairwise(const Program& program, uint32_t first, uint32_t second, std::set<uint32_t> fragment,
                std::set<uint32_t> approach = {}, Reductions reductions = {}) {
  Result result;
  std::vector<machine::Operation> seen;
  while (true) {
    Toy toy(program);
    Client client{toy, result, ThreadId(first), ThreadId(second), fragment, approach, seen};
    PairwiseSearch<Toy, Client> search(toy, client, reductions, result.statistics);
    EXPECT_TRUE(search.run());
    if (!client.grew) return result;
    seen = client.seen;
  }
}

TEST(Pairwise, FindsTheFourIncrements) {
  // i = 0; T1-T4: i++; i--; T5: assert(i < 4). The edit is in T5; the pair is (T4, T5).
  Program program;
  for (int n = 0; n < 4; ++n) program.threads.push_back({{Code::Add, 0, 1}, {Code::Add, 0, -1}});
  program.threads.push_back({{Code::Read, 0}, {Code::AssertNot, 0, 4}});
  EXPECT_GT(pairwise(program, 4, 3, {0}).faults, 0u);
  // Not with three of them.
  program.threads.erase(program.threads.begin());
  EXPECT_EQ(pairwise(program, 3, 2, {0}).faults, 0u);
}

TEST(Pairwise, FindsTheDeadlockOfThreeLocks) {
  const auto both = [](int a, int b) {
    return Thread{{Code::Lock, a}, {Code::Lock, b}, {Code::Unlock, b}, {Code::Unlock, a}};
  };
  // Thread 1: A, then B (the edit); thread 2: B, C; thread 3: C, A.
  const Program program{.threads = {both(0, 1), both(1, 2), both(2, 0)}};
  EXPECT_GT(pairwise(program, 0, 1, {1}).stuck, 0u);
  EXPECT_GT(pairwise(program, 0, 1, {1}, {0}).stuck, 0u);
  // Before the edit there is none.
  const Program before{.threads = {{{Code::Lock, 0}, {Code::Unlock, 0}}, both(1, 2), both(2, 0)}};
  EXPECT_EQ(pairwise(before, 0, 1, {0, 1}).stuck, 0u);
}

TEST(Pairwise, MissesWhatHasToComeBeforeTheFragment) {
  // T1: x++; assert(x != 3), the edit; T2: x = 2. T2 would have to run before x++.
  const Program program{
      .threads = {{{Code::Add, 0, 1}, {Code::Read, 0}, {Code::AssertNot, 0, 3}}, {{Code::Set, 0, 2}}}};
  EXPECT_EQ(pairwise(program, 0, 1, {1}).faults, 0u);
}

TEST(Pairwise, MissesLateEffectsBetweenThreadsThatWereNotEdited) {
  // The edit sets a flag; then two others that were ordered by luck of the flag race to an assertion.
  // T1: f = 1 (edit). T2: if f: y = 1, y = 2. T3: assert(y != 1).
  const Program program{.threads = {{{Code::Set, 0, 1}},
                                    {{Code::Read, 0}, {Code::SkipIf, 0, 2}, {Code::Set, 1, 1}, {Code::Set, 1, 2}},
                                    {{Code::Read, 1}, {Code::AssertNot, 0, 1}}}};
  EXPECT_EQ(pairwise(program, 0, 1, {0}).faults, 0u);
  EXPECT_EQ(pairwise(program, 0, 2, {0}).faults, 0u);
}

TEST(Pairwise, AlternatesInsideTheFragment) {
  // T1: x = 1; x = 2, the edit; T2: assert(x != 1).
  const Program program{
      .threads = {{{Code::Set, 0, 1}, {Code::Set, 0, 2}}, {{Code::Read, 0}, {Code::AssertNot, 0, 1}}}};
  EXPECT_GT(pairwise(program, 0, 1, {0, 1}).faults, 0u);
}

TEST(Pairwise, EachTimeTheFragmentIsReachedCounts) {
  const Program program{.threads = {{{Code::Add, 0, 1}, {Code::Add, 1, 1}, {Code::Add, 0, 1}},
                                    {{Code::Read, 0}, {Code::AssertNot, 0, 1}}}};
  EXPECT_GT(pairwise(program, 0, 1, {0, 2}).arrivals, 2u);
  EXPECT_GT(pairwise(program, 0, 1, {2}).faults, 0u);
}

// T3 stays away from the first pass and moves before the second.
TEST(Pairwise, WhoStoppedAtAPassMovesAtTheNext) {
  const Program program{.threads = {{{Code::Read, 0},
                                     {Code::SkipIf, 0, 1},
                                     {Code::Exit},
                                     {Code::Add, 1, 1},
                                     {Code::Read, 0},
                                     {Code::AssertNot, 0, 1}},
                                    {{Code::Add, 3, 1}},
                                    {{Code::Add, 0, 1}}}};
  EXPECT_GT(pairwise(program, 0, 1, {0, 4}).faults, 0u);
}

// main, T_i, waits inside of the fragment for T3, which T2 lets go: then T2 may stand before its end.
TEST(Pairwise, MainMayEndBeforeTheOtherThread) {
  const Program program{.threads = {{{Code::SemaphorePost, 2}, {Code::SemaphoreWait, 0}, {Code::Exit}},
                                    {{Code::SemaphoreWait, 2}, {Code::SemaphorePost, 3}},
                                    {{Code::SemaphoreWait, 3}, {Code::SemaphorePost, 0}}}};
  EXPECT_GT(pairwise(program, 0, 1, {0, 1}).before_other_ended, 0u);
}

TEST(Pairwise, OthersWaitForALockThatIsHeldAtTheFragment) {
  // T1: lock; assert(x != 1), the edit; unlock. T3: lock; x = 1; unlock. T2 is nothing.
  const Program program{.threads = {{{Code::Lock, 0}, {Code::Read, 0}, {Code::AssertNot, 0, 1}, {Code::Unlock, 0}},
                                    {{Code::Add, 3, 1}},
                                    {{Code::Lock, 0}, {Code::Set, 0, 1}, {Code::Unlock, 0}}}};
  EXPECT_GT(pairwise(program, 0, 1, {1}, {0}).faults, 0u);
}

TEST(Pairwise, StateMatchingKeepsTheOutcomes) {
  Program program;
  for (int n = 0; n < 3; ++n)
    program.threads.push_back({{Code::Add, 0, 1}, {Code::Lock, 0}, {Code::Add, 1, 2}, {Code::Unlock, 0}});
  const Result with = pairwise(program, 0, 1, {0, 1, 2}),
               without = pairwise(program, 0, 1, {0, 1, 2}, {}, {.state_matching = false});
  EXPECT_EQ(with.outcomes, without.outcomes);
  EXPECT_LT(with.statistics.events, without.statistics.events);
}

}  // namespace
}  // namespace heddle::explore
