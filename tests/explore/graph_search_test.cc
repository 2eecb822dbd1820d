// The search by graphs against the enumerator: random scripts, all models, both rules of release sequences.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/explore/graph_enumerator.h"
#include "tests/explore/random_script.h"

namespace heddle::explore::toy {
namespace {

struct Compared {
  uint64_t graphs = 0, in_vain = 0;
};

// The search finds what the enumerator found, and nothing twice.
void compare(const Script& script, graph::Rules rules, const Enumerator& enumerator, Compared& sum) {
  for (size_t m = 0; m < 4; ++m) {
    GraphToy toy(script);
    Collector collector(toy);
    GraphStatistics statistics;
    rules.model = kModels[m];
    GraphSearch search(toy, collector, rules, statistics);
    ASSERT_TRUE(search.run());
    const Enumerated& expected = enumerator.of(m);
    const std::string where = "model " + std::to_string(m) + ": " + text(script);
    ASSERT_EQ(collector.found.complete, expected.complete) << where;
    ASSERT_EQ(collector.found.blocked, expected.blocked) << where;
    ASSERT_EQ(collector.found.race, expected.race) << where;
    ASSERT_EQ(collector.found.failure, expected.failure) << where;
    ASSERT_EQ(statistics.in_vain, 0u) << where;
    ASSERT_EQ(statistics.graphs, expected.complete.size()) << where;
    sum.graphs += statistics.graphs + statistics.blocked;
  }
}

// HEDDLE_GRAPH_SCRIPTS and HEDDLE_TEST_SEED make it longer and different.
TEST(GraphSearch, RandomScriptsHaveTheGraphsOfTheAxioms) {
  const char* given = std::getenv("HEDDLE_GRAPH_SCRIPTS");
  const uint64_t wanted = given != nullptr ? std::strtoull(given, nullptr, 10) : 4'000;
  const char* seed_given = std::getenv("HEDDLE_TEST_SEED");
  const uint32_t seed = seed_given != nullptr ? static_cast<uint32_t>(std::strtoul(seed_given, nullptr, 10)) : 25;
  std::mt19937 random(seed);
  Compared sum;
  uint64_t scripts = 0, skipped = 0;
  while (scripts < wanted && !::testing::Test::HasFatalFailure()) {
    const Script script = random_script(random);
    graph::Rules rules;
    if (random() % 2) rules.updates = graph::SeqCstUpdates::AsInStandard;
    Enumerator enumerator(script, rules);
    if (!enumerator.run(20'000)) {
      ++skipped;
      continue;
    }
    compare(script, rules, enumerator, sum);
    ++scripts;
  }
  std::cout << "seed " << seed << ": " << scripts << " scripts, " << sum.graphs << " graphs, " << skipped
            << " scripts too large\n";
}

}  // namespace
}  // namespace heddle::explore::toy
