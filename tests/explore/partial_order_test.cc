// Source-set DPOR on toy programs: closed formulas, and random programs against brute force.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "server/explore/partial_order.h"
#include "tests/explore/toy_search.h"

namespace heddle::explore {
namespace {

using toy::Code;
using toy::complete;
using toy::explore;
using toy::kAll;
using toy::kExit;
using toy::kNoOrder;
using toy::kNoSleep;
using toy::kNothing;
using toy::kSourceSets;
using toy::Program;
using toy::random_program;
using toy::Seen;
using toy::text;
using toy::Thread;
using toy::Toy;

uint64_t factorial(uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

uint64_t executions(const Program& program) {
  const Seen seen = explore(program, kAll);
  EXPECT_TRUE(complete(seen));
  EXPECT_EQ(seen.statistics.redundant, 0u);
  return seen.statistics.executions;
}

Program repeat(uint32_t n, const Thread& thread) { return {.threads = std::vector<Thread>(n, thread)}; }

TEST(PartialOrder, IndependentThreadsHaveOneExecution) {
  for (int n = 1; n <= 7; ++n) {
    Program program;
    for (int t = 0; t < n; ++t) program.threads.push_back({{Code::Add, t, 1}, {Code::Add, t, 1}});
    EXPECT_EQ(executions(program), 1u);
  }
}

TEST(PartialOrder, WritersOfOneVariable) {
  for (uint32_t n = 1; n <= 6; ++n) {
    EXPECT_EQ(executions(repeat(n, {{Code::Set, 0, 1}})), factorial(n));
  }
}

TEST(PartialOrder, CriticalSectionsOfOneMutex) {
  for (uint32_t n = 1; n <= 6; ++n) {
    EXPECT_EQ(executions(repeat(n, {{Code::Lock, 0}, {Code::Unlock, 0}})), factorial(n));
    EXPECT_EQ(executions(repeat(n, {{Code::Lock, 0}, {Code::Add, 0, 1}, {Code::Unlock, 0}})), factorial(n));
  }
}

TEST(PartialOrder, ReadersOfOneVariable) {
  // One writer among n readers: each reader is before or after it.
  for (uint32_t n = 1; n <= 6; ++n) {
    Program program = repeat(n, {{Code::Read, 0}});
    program.threads.push_back({{Code::Set, 0, 1}});
    EXPECT_EQ(executions(program), uint64_t{1} << n);
  }
}

TEST(PartialOrder, TwoThreadsOfManyWrites) {
  // Interleavings of two sequences of n writes to one variable: the central binomial coefficient.
  uint64_t expected = 1;
  for (uint32_t n = 1; n <= 5; ++n) {
    expected = expected * (2 * n) * (2 * n - 1) / (n * n);
    EXPECT_EQ(executions(repeat(2, Thread(n, {Code::Set, 0, 1}))), expected);
  }
}

TEST(PartialOrder, ReaderLocksCommute) {
  for (uint32_t n = 1; n <= 5; ++n) {
    EXPECT_EQ(executions(repeat(n, {{Code::ReadLock, 0}, {Code::ReadUnlock, 0}})), 1u);
    EXPECT_EQ(executions(repeat(n, {{Code::WriteLock, 0}, {Code::WriteUnlock, 0}})), factorial(n));
  }
}

TEST(PartialOrder, ReadersAgainstOneWriterLock) {
  for (uint32_t n = 1; n <= 4; ++n) {
    Program program = repeat(n, {{Code::ReadLock, 0}, {Code::ReadUnlock, 0}});
    program.threads.push_back({{Code::WriteLock, 0}, {Code::WriteUnlock, 0}});
    const Seen seen = explore(program, kAll);
    EXPECT_EQ(seen.statistics.executions, uint64_t{1} << n);
  }
}

TEST(PartialOrder, SemaphorePostsCommute) {
  for (uint32_t n = 1; n <= 5; ++n) EXPECT_EQ(executions(repeat(n, {{Code::SemaphorePost, 0}})), 1u);
}

TEST(PartialOrder, CreateAndJoinAddNothing) {
  Program program;
  program.started_by_create = true;
  program.threads = {{{Code::Create, 1},
                      {Code::Create, 2},
                      {Code::Create, 3},
                      {Code::Join, 1},
                      {Code::Join, 2},
                      {Code::Join, 3},
                      {Code::Read, 0},
                      {Code::Exit}},
                     {{Code::Set, 0, 1}},
                     {{Code::Set, 0, 2}},
                     {{Code::Set, 0, 3}}};
  EXPECT_EQ(executions(program), 6u);
}

TEST(PartialOrder, DataChoicesMultiply) { EXPECT_EQ(executions(repeat(2, {{Code::Choose, 0, 3}})), 9u); }

TEST(PartialOrder, FindsTheFaultBehindAFault) {
  Program program;
  program.threads = {{{Code::Read, 0}, {Code::AssertNot, 0, 0}}, {{Code::Read, 1}, {Code::AssertNot, 0, 0}}};
  EXPECT_EQ(explore(program, kAll).faults.size(), 2u);
}

TEST(PartialOrder, FindsTheDeadlockOfTwoMutexes) {
  Program program;
  program.threads = {{{Code::Lock, 0}, {Code::Lock, 1}, {Code::Unlock, 1}, {Code::Unlock, 0}},
                     {{Code::Lock, 1}, {Code::Lock, 0}, {Code::Unlock, 0}, {Code::Unlock, 1}}};
  EXPECT_EQ(explore(program, kAll).outcomes, explore(program, kNothing).outcomes);
  EXPECT_EQ(executions(program), 3u);
}

TEST(PartialOrder, LastZero) {
  // Threads that set a[i] to a[i-1] + 1 while one looks for the last zero; counted by brute force.
  for (int n = 1; n <= 2; ++n) {
    Program program;
    Thread search;
    for (int at = n; at > 0; --at) {
      search.push_back({Code::Read, at});
      search.push_back({Code::SkipIf, 0, 2 * (at - 1)});
    }
    program.threads.push_back(search);
    for (int at = 1; at <= n; ++at) program.threads.push_back({{Code::Read, at - 1}, {Code::Write, at, 1}});
    const Seen reduced = explore(program, kAll), brute = explore(program, kNothing);
    EXPECT_EQ(reduced.traces.size(), brute.traces.size());
    EXPECT_EQ(reduced.statistics.executions, brute.traces.size());
  }
}

TEST(PartialOrder, RandomProgramsWithoutBlockingHaveOneExecutionPerTrace) {
  std::mt19937 random(toy::seed_of("without blocking", 7));
  uint64_t by_source_sets = 0, by_wakeup_trees = 0;
  for (int round = 0; round < 400; ++round) {
    const Program program = random_program(random, false);
    const Seen brute = explore(program, kNothing);
    if (!brute.faults.empty() || !complete(brute)) continue;
    for (const Reductions& reductions : {kAll, kSourceSets, kNoSleep, kNoOrder}) {
      const Seen seen = explore(program, reductions);
      ASSERT_EQ(seen.outcomes, brute.outcomes) << text(program);
      ASSERT_EQ(seen.traces.size(), brute.traces.size()) << text(program);
    }
    const Seen reduced = explore(program, kAll);
    ASSERT_EQ(reduced.statistics.executions, brute.traces.size()) << text(program);
    // Optimal: nothing is begun in vain.
    ASSERT_EQ(reduced.statistics.redundant, 0u) << text(program);
    by_wakeup_trees += reduced.statistics.redundant;
    by_source_sets += explore(program, kSourceSets).statistics.redundant;
  }
  std::cout << "begun in vain: source sets " << by_source_sets << ", wakeup trees " << by_wakeup_trees << "\n";
}

TEST(PartialOrder, RandomProgramsWithBlockingReachTheSameOutcomes) {
  std::mt19937 random(toy::seed_of("with blocking", 11));
  uint64_t executions = 0, redundant = 0, by_source_sets = 0, traces = 0;
  for (int round = 0; round < 250; ++round) {
    const Program program = random_program(random, true);
    const bool exits = text(program).find(kExit) != std::string::npos;
    const Seen brute = explore(program, kNothing);
    if (!complete(brute)) continue;
    for (const Reductions& reductions : {kAll, kSourceSets, kNoSleep, kNoOrder}) {
      const Seen seen = explore(program, reductions);
      SCOPED_TRACE(reductions.wakeup_trees ? "wakeup trees" : "source sets");
      ASSERT_EQ(seen.faults, brute.faults) << text(program) << " round " << round;
      // A process that ends early shows a prefix of a longer execution.
      if (!exits && brute.faults.empty()) {
        ASSERT_EQ(seen.outcomes, brute.outcomes) << text(program) << " round " << round;
        ASSERT_EQ(seen.traces.size(), brute.traces.size()) << text(program) << " round " << round;
      }
    }
    const Seen reduced = explore(program, kAll);
    if (!exits && brute.faults.empty()) {
      ASSERT_EQ(reduced.statistics.executions, reduced.traces.size()) << text(program) << " round " << round;
    }
    executions += reduced.statistics.executions;
    redundant += reduced.statistics.redundant;
    by_source_sets += explore(program, kSourceSets).statistics.redundant;
    traces += brute.traces.size();
  }
  RecordProperty("executions", std::to_string(executions));
  RecordProperty("redundant", std::to_string(redundant));
  std::cout << executions << " executions, " << redundant << " redundant (source sets " << by_source_sets << "), "
            << traces << " traces by brute force\n";
}

// Who creates a thread is another on another path, or nobody.
TEST(PartialOrder, RandomProgramsWithCreatesReachTheSameOutcomes) {
  std::mt19937 random(toy::seed_of("with creates", 31));
  uint32_t compared = 0;
  for (int round = 0; round < 400; ++round) {
    const Program program = toy::random_created(random, false);
    const Seen brute = explore(program, kNoOrder);
    if (!complete(brute)) continue;
    ++compared;
    for (const Reductions& reductions : {kAll, kSourceSets, kNoSleep}) {
      const Seen seen = explore(program, reductions);
      SCOPED_TRACE(reductions.wakeup_trees ? "wakeup trees" : "source sets");
      ASSERT_EQ(seen.faults, brute.faults) << text(program) << " round " << round;
      if (brute.faults.empty() && text(program).find(kExit) == std::string::npos) {
        ASSERT_EQ(seen.outcomes, brute.outcomes) << text(program) << " round " << round;
      }
    }
  }
  EXPECT_GT(compared, 100u);
}

// Two threads, either of which may start the third.
TEST(PartialOrder, WhoCreatesDependsOnThePath) {
  Program program{
      .threads =
          {{{Code::Create, 1}, {Code::Create, 2}},
           {{Code::TryLock, 0}, {Code::SkipIf, 0, 1}, {Code::Create, 3}, {Code::Read, 0}, {Code::AssertNot, 0, 2}},
           {{Code::TryLock, 0}, {Code::SkipIf, 0, 1}, {Code::Create, 3}, {Code::Read, 0}, {Code::AssertNot, 0, 2}},
           {{Code::Add, 0, 1}, {Code::Add, 0, 1}}},
      .started_by_create = true};
  const Seen brute = explore(program, kNoOrder);
  ASSERT_TRUE(complete(brute));
  for (const Reductions& reductions : {kAll, kSourceSets, kNoSleep})
    EXPECT_EQ(explore(program, reductions).faults, brute.faults);
}

// main ends the process while the others run, block or fail: nothing that they can do before is lost.
TEST(PartialOrder, RandomProgramsThatEndEarlyMeetTheSameErrors) {
  std::mt19937 random(toy::seed_of("ends early", 19));
  uint32_t with_errors = 0;
  for (int round = 0; round < 6000; ++round) {
    Program program = random_program(random, true);
    program.threads.insert(program.threads.begin() + static_cast<ptrdiff_t>(random() % program.threads.size()),
                           Thread{{Code::Exit}});
    const Seen brute = explore(program, kNoOrder);
    if (!complete(brute) || brute.faults.empty()) continue;
    ++with_errors;
    for (const Reductions& reductions : {kAll, kSourceSets, kNoSleep}) {
      SCOPED_TRACE(reductions.wakeup_trees ? "wakeup trees" : "source sets");
      ASSERT_EQ(explore(program, reductions).faults, brute.faults) << text(program) << " round " << round;
    }
  }
  EXPECT_GT(with_errors, 100u);
}

// Two groups of objects with nothing between them: the search over the first group meets all of its errors.
TEST(PartialOrder, AffectedMeetsTheErrorsOfItsGroup) {
  std::mt19937 random(23);
  const auto pick = [&](uint32_t n) { return static_cast<int>(random() % n); };
  uint64_t full_executions = 0, affected_executions = 0;
  for (int round = 0; round < 300; ++round) {
    Program program;
    for (int t = 0; t < 3; ++t) {
      Thread thread;
      for (int n = 2 + pick(2); n > 0; --n) {
        const bool locked = pick(2) != 0;
        switch (pick(5)) {
          case 0: thread.push_back({Code::Add, 1, 1}); break;
          case 1: thread.insert(thread.end(), {{Code::Lock, 1}, {Code::Add, 2, 1}, {Code::Unlock, 1}}); break;
          case 2: thread.insert(thread.end(), {{Code::Read, 0}, {Code::AssertNot, 0, 1 + pick(3)}}); break;
          default:
            if (locked) thread.push_back({Code::Lock, 0});
            thread.push_back({Code::Add, 0, 1});
            if (locked) thread.push_back({Code::Unlock, 0});
        }
      }
      program.threads.push_back(thread);
    }
    const Seen full = explore(program, kAll), affected = explore(program, kAll, true);
    if (!complete(full)) continue;
    ASSERT_EQ(affected.faults, full.faults) << text(program);
    full_executions += full.statistics.executions;
    affected_executions += affected.statistics.executions;
  }
  EXPECT_LT(affected_executions, full_executions);
}

}  // namespace
}  // namespace heddle::explore
