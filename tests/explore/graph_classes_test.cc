// The search by graphs under SC against wakeup trees: a Mazurkiewicz trace of sequentially consistent accesses is one
// graph, so both find the same number. Then counts by formula, and cost.
#include <gtest/gtest.h>

#include "server/explore/partial_order.h"
#include "tests/explore/graph_toy.h"
#include "tests/explore/random_toy.h"

namespace heddle::explore::toy {
namespace {

struct Counter {
  uint64_t ends = 0;
  bool relevant(const Operation&) { return true; }
  bool stepped(ThreadId) { return true; }
  void beyond(Beyond) { FAIL(); }
  void ended(PathEnd) { ++ends; }
  bool ended(const graph::ExecutionGraph&, GraphEnd) { return true; }
  void race(const graph::ExecutionGraph&, EventId) {}
  static bool stopped() { return false; }
};

uint64_t traces_of(const Program& program) {
  Toy toy(program);
  Counter counter;
  Statistics statistics;
  const Reductions all;
  PartialOrderSearch<Toy, Counter> search(toy, counter, all, statistics);
  search.run();
  return counter.ends;
}

GraphStatistics graphs_of(const Script& script, MemoryModel model) {
  GraphToy toy(script);
  Counter counter;
  GraphStatistics statistics;
  GraphSearch search(toy, counter, {model}, statistics);
  EXPECT_TRUE(search.run());
  EXPECT_EQ(statistics.in_vain, 0u);
  return statistics;
}

// The same program in the other language; without assertions, which end a path there.
Script script_of(const Program& program) {
  Script script;
  for (const Thread& thread : program.threads) {
    script.threads.emplace_back();
    for (const Instruction& i : thread) {
      std::vector<Statement>& code = script.threads.back();
      switch (i.code) {
        case Code::Read: code.push_back({Act::Load, i.x}); break;
        case Code::Write: code.push_back({Act::StoreSum, i.x, 0, i.k}); break;
        case Code::Set: code.push_back({Act::Store, i.x, 0, i.k}); break;
        case Code::Add: code.push_back({Act::Add, i.x, 0, i.k}); break;
        case Code::SkipIf:
          code.push_back({Act::SkipIf, 0, 0, i.x});
          code.back().count = i.k;
          break;
        default: ADD_FAILURE() << "not in the language of graphs";
      }
    }
  }
  return script;
}

TEST(GraphClasses, UnderScGraphsAreMazurkiewiczTraces) {
  std::mt19937 random(seed_of("GraphClasses", 6));
  uint64_t traces = 0;
  for (int n = 0; n < 1500; ++n) {
    Program program = random_program(random, false);
    for (Thread& thread : program.threads)
      std::erase_if(thread, [](const Instruction& i) { return i.code == Code::AssertNot; });
    const uint64_t expected = traces_of(program);
    ASSERT_EQ(graphs_of(script_of(program), MemoryModel::Sc).graphs, expected) << text(program);
    traces += expected;
  }
  EXPECT_GT(traces, 5000u);
}

TEST(GraphClasses, CountsByFormula) {
  Script adds, ring, readers;
  readers.threads.push_back({{Act::Load, 0}});
  uint64_t factorial = 1;
  for (int n = 1; n <= 6; ++n) {
    factorial *= static_cast<uint64_t>(n);
    adds.threads.push_back({{Act::Add, 0, 0, 1}});
    readers.threads.push_back({{Act::Store, 0, 0, n}});
    EXPECT_EQ(graphs_of(adds, MemoryModel::Rc11).graphs, factorial);
    EXPECT_EQ(graphs_of(readers, MemoryModel::Rc11).graphs, factorial * static_cast<uint64_t>(n + 1));
  }
  for (int n = 2; n <= 8; ++n) {  // store buffering in a ring: all reads are stale in one graph
    ring.threads.clear();
    for (int t = 0; t < n; ++t) ring.threads.push_back({{Act::Store, t, 0, 1}, {Act::Load, (t + 1) % n}});
    EXPECT_EQ(graphs_of(ring, MemoryModel::Sc).graphs, (1u << n) - 1);
    EXPECT_EQ(graphs_of(ring, MemoryModel::Tso).graphs, 1u << n);
    EXPECT_EQ(graphs_of(ring, MemoryModel::Rc11).graphs, 1u << n);
  }
}

// A revisit performs again what it keeps, and later what it removed: a constant number of steps for each event.
TEST(GraphClasses, StepsPerGraphStayBelowTheLengthOfAPath) {
  for (int n = 2; n <= 4; ++n) {
    Script script;
    script.threads.resize(2);
    for (int i = 0; i < n; ++i) {
      for (int t = 0; t < 2; ++t) {
        std::vector<Statement>& code = script.threads[static_cast<size_t>(t)];
        code.push_back({Act::Load, t, 0});
        code.push_back({Act::Load, 1 - t, 1});
        code.push_back({Act::StoreSum, t, 0, 0});
      }
    }
    const GraphStatistics statistics = graphs_of(script, MemoryModel::Rc11);
    EXPECT_LE(statistics.performed, statistics.graphs * static_cast<uint64_t>(6 * n));
  }
}

}  // namespace
}  // namespace heddle::explore::toy
