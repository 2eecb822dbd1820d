// Execution graphs with unknown inputs against the enumerator: for each of the inputs exactly its graphs, and no graph
// twice with the same answers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/explore/graph_data.h"
#include "tests/explore/random_script.h"

namespace heddle::explore::toy {
namespace {

struct Searched {
  explicit Searched(const Script& script, graph::Rules rules) : toy(script, all_inputs()), collector(toy) {
    GraphSearch search(toy, collector, rules, statistics);
    EXPECT_TRUE(search.run());
  }
  DataToy toy;
  DataCollector collector;
  GraphStatistics statistics;
};

bool uses_input(const Script& script, int input) {
  for (const auto& thread : script.threads)
    for (const Statement& s : thread)
      if (s.act == Act::Input && s.x == input) return true;
  return false;
}

// False: too large for brute force.
bool compare(const Script& script, graph::Rules rules, uint64_t& graphs) {
  std::vector<Script> known(kAssignments, script);
  std::vector<Enumerator> enumerators;
  const auto assignments = static_cast<int>(uses_input(script, 1) ? kAssignments : kDomain);
  for (int n = 0; n < assignments; ++n) {
    Script& one = known[static_cast<size_t>(n)];
    for (int i = 0; i < kInputs; ++i) one.inputs[i] = input_of(n, i);
    enumerators.emplace_back(one, rules);
    if (!enumerators.back().run(2'000)) return false;
  }
  for (size_t m = 0; m < 4; ++m) {
    rules.model = kModels[m];
    const Searched searched(script, rules);
    const std::string where = "model " + std::to_string(m) + ": " + text(script);
    for (size_t n = 0; n < enumerators.size(); ++n) {
      const Enumerated& found = searched.collector.found[n];
      const Enumerated& expected = enumerators[n].of(m);
      EXPECT_EQ(found.complete, expected.complete) << where << " inputs " << n;
      EXPECT_EQ(found.blocked, expected.blocked) << where << " inputs " << n;
      EXPECT_EQ(found.failure, expected.failure) << where << " inputs " << n;
    }
    EXPECT_FALSE(searched.collector.twice) << where;
    EXPECT_FALSE(searched.collector.nothing) << where;
    EXPECT_EQ(searched.statistics.in_vain, 0u) << where;
    graphs += searched.statistics.graphs + searched.statistics.blocked;
  }
  return true;
}

// HEDDLE_GRAPH_SCRIPTS and HEDDLE_TEST_SEED make it longer and different.
TEST(GraphData, RandomScriptsHaveTheGraphsOfTheAxiomsForEachInput) {
  const char* given = std::getenv("HEDDLE_GRAPH_SCRIPTS");
  const uint64_t wanted = given != nullptr ? std::strtoull(given, nullptr, 10) : 100;
  const char* seed_given = std::getenv("HEDDLE_TEST_SEED");
  const uint32_t seed = seed_given != nullptr ? static_cast<uint32_t>(std::strtoul(seed_given, nullptr, 10)) : 25;
  std::mt19937 random(seed);
  uint64_t graphs = 0, scripts = 0, skipped = 0;
  while (scripts < wanted && !::testing::Test::HasFailure()) {
    graph::Rules rules;
    if (random() % 2) rules.updates = graph::SeqCstUpdates::AsInStandard;
    ++(compare(random_data_script(random), rules, graphs) ? scripts : skipped);
  }
  std::cout << "seed " << seed << ": " << scripts << " scripts, " << graphs << " graphs, " << skipped
            << " scripts too large\n";
  EXPECT_GT(graphs, 1000u);
}

uint64_t graphs_of(const std::vector<std::vector<Statement>>& threads, MemoryModel model) {
  Script script;
  script.threads = threads;
  const Searched searched(script, {model});
  EXPECT_FALSE(searched.collector.twice);
  EXPECT_EQ(searched.statistics.in_vain, 0u);
  return searched.statistics.graphs;
}

// The paper's w+sw+r+r: who reads the unknown value asks about it, so 2 * 3. Store buffering whose second reader asks
// about what it read: each graph in which that is the input has two. A compare-exchange on what another stored: it
// comes first, or after, and then fails or succeeds.
TEST(GraphData, CountsByFormula) {
  const std::vector<Statement> one = {{Act::Store, 0, 0, 1}}, unknown = {{Act::Input, 0, 0}, {Act::StoreSum, 1, 0, 0}};
  const std::vector<Statement> asks = {{Act::Load, 1, 0}, {Act::AssertNot, 0, 0, 1}};
  for (const MemoryModel model : kModels) {
    EXPECT_EQ(graphs_of({one, unknown, {{Act::Load, 0, 0}}, asks}, model), 6u);
    const std::vector<Statement> left = {{Act::Store, 0, 0, 1}, {Act::Load, 1, 0}, {Act::AssertNot, 0, 0, 1}};
    const std::vector<Statement> right = {{Act::Input, 0, 0}, {Act::StoreSum, 1, 0, 0}, {Act::Load, 0, 1}};
    EXPECT_EQ(graphs_of({left, right}, model), model == MemoryModel::Sc ? 5u : 6u);
    EXPECT_EQ(graphs_of({unknown, {{Act::Compare, 1, 0, 2, Order::Relaxed, 1}}}, model), 3u);
  }
}

// What the write revisits has each outcome again; what goes away had its first one, whatever was asked later.
TEST(GraphData, ARevisitAsksAgain) {
  Statement expects{Act::Compare, 0, 1, 2};
  expects.by_register = true;
  const std::vector<Statement> store = {{Act::Store, 0, 0, 1}};
  const std::vector<Statement> asks_twice = {{Act::Load, 0, 0},     {Act::Input, 0, 1},     {Act::SkipIf, 0, 1, 1},
                                             {Act::Store, 1, 0, 1}, {Act::SkipIf, 0, 1, 1}, {Act::Store, 1, 0, 2}};
  for (const MemoryModel model : kModels) {
    EXPECT_EQ(graphs_of({{{Act::Input, 0, 0}, expects}, store}, model), 2u * 2u);
    EXPECT_EQ(graphs_of({asks_twice, store}, model), 2u * 2u);
  }
}

// Threads that ask about one input answer alike; about inputs of their own, each by itself.
TEST(GraphData, QuestionsAboutOneInputAreAnsweredAlike) {
  const auto asks = [](int input, int number) {
    return std::vector<Statement>{{Act::Input, input, 0}, {Act::SkipIf, 0, 0, number}, {Act::Store, 0, 0, 1}};
  };
  EXPECT_EQ(graphs_of({asks(0, 1), asks(0, 1)}, MemoryModel::Rc11), 2u + 1u);       // both store in two orders, or none
  EXPECT_EQ(graphs_of({asks(0, 1), asks(0, 2)}, MemoryModel::Rc11), 2u + 1u + 1u);  // the input is 0, 1 or 2
  EXPECT_EQ(graphs_of({asks(0, 1), asks(1, 1)}, MemoryModel::Rc11), 2u + 1u + 1u + 1u);
}

}  // namespace
}  // namespace heddle::explore::toy
