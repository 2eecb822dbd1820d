// Litmus tests with known verdicts and counts (graph.litmus), and counts by formula.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "tests/explore/graph_enumerator.h"
#include "tests/explore/script_text.h"

namespace heddle::explore::toy {
namespace {

struct Litmus {
  std::string name, verdicts, text, outcome;
  std::vector<uint64_t> counts, blocked;  // by model
  bool races = false, no_races = false;
  bool continues_own = false;
  graph::Rules rules;
};

void read_head(const std::string& line, Litmus& test) {
  std::stringstream words(line);
  words >> test.name >> test.verdicts;
  std::vector<uint64_t>* numbers = &test.counts;
  for (std::string word; words >> word;) {
    if (word == "races")
      test.races = true;
    else if (word == "no-races")
      test.no_races = true;
    else if (word == "c++17")
      test.continues_own = true;
    else if (word == "updates-as-in-standard")
      test.rules.updates = graph::SeqCstUpdates::AsInStandard;
    else if (word == "blocked")
      numbers = &test.blocked;
    else
      numbers->push_back(std::strtoull(word.c_str(), nullptr, 10));
  }
}

std::vector<Litmus> read_tests() {
  std::ifstream file(HEDDLE_LITMUS);
  std::vector<Litmus> tests;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  for (size_t n = 0; n + 2 < lines.size(); n += 3) {
    tests.emplace_back();
    read_head(lines[n], tests.back());
    tests.back().text = lines[n + 1];
    tests.back().outcome = lines[n + 2];
  }
  return tests;
}

// Whether a complete graph has the outcome: registers as `0:r1=2`, last writes as `x=2`.
bool has_outcome(const std::string& outcome, const GraphToy& toy, const graph::ExecutionGraph& g) {
  std::stringstream stream(outcome);
  for (std::string condition; stream >> condition;) {
    const size_t equals = condition.find('=');
    const int wanted = std::stoi(condition.substr(equals + 1));
    if (condition[1] == ':') {
      const uint32_t thread = static_cast<uint32_t>(condition[0] - '0');
      if (toy.walker(thread).registers()[condition[3] - '0'] != wanted) return false;
      continue;
    }
    const LocationId location{static_cast<uint32_t>(ScriptReader::location(condition.substr(0, equals)))};
    const auto writes = g.coherence(location);
    if ((writes.empty() ? 0 : toy.value(writes.back())) != wanted) return false;
  }
  return true;
}

class Observer {
 public:
  Observer(const GraphToy& toy, const std::string& outcome) : collector(toy), toy_(toy), outcome_(outcome) {}
  bool ended(const graph::ExecutionGraph& g, GraphEnd end) {
    seen = seen || (end == GraphEnd::Complete && has_outcome(outcome_, toy_, g));
    return collector.ended(g, end);
  }
  void race(const graph::ExecutionGraph& g, EventId earlier) { collector.race(g, earlier); }
  static bool stopped() { return false; }
  bool seen = false;
  Collector collector;

 private:
  const GraphToy& toy_;
  const std::string& outcome_;
};

Script script_of(const Litmus& test) {
  Script script = ScriptReader::read(test.text);
  for (auto& thread : script.threads)
    for (Statement& s : thread) s.continues_own = test.continues_own;
  return script;
}

graph::Rules with_model(graph::Rules rules, size_t m) {
  rules.model = kModels[m];
  return rules;
}

void check_model(const Litmus& test, const Script& script, const Enumerator& enumerator, size_t m) {
  GraphToy toy(script);
  Observer observer(toy, test.outcome);
  GraphStatistics statistics;
  GraphSearch search(toy, observer, with_model(test.rules, m), statistics);
  ASSERT_TRUE(search.run());
  EXPECT_EQ(observer.seen, test.verdicts[m] == '+') << "model " << m;
  EXPECT_EQ(statistics.graphs, test.counts[m]) << "model " << m;
  if (!test.blocked.empty()) {
    EXPECT_EQ(statistics.blocked, test.blocked[m]) << "model " << m;
  }
  EXPECT_EQ(statistics.in_vain, 0u);
  EXPECT_EQ(observer.collector.found.complete, enumerator.of(m).complete) << "model " << m;
  EXPECT_EQ(observer.collector.found.blocked, enumerator.of(m).blocked) << "model " << m;
  if (test.races || test.no_races) {
    EXPECT_EQ(observer.collector.found.race, test.races) << "model " << m;
  }
}

TEST(GraphLitmus, VerdictsAndCountsAreTheKnownOnes) {
  const std::vector<Litmus> tests = read_tests();
  EXPECT_GE(tests.size(), 100u);
  for (const Litmus& test : tests) {
    SCOPED_TRACE(test.name);
    ASSERT_EQ(test.verdicts.size(), 4u);
    ASSERT_EQ(test.counts.size(), 4u);
    const Script script = script_of(test);
    Enumerator enumerator(script, test.rules);
    ASSERT_TRUE(enumerator.run(3'000'000));
    for (size_t m = 0; m < 4; ++m) check_model(test, script, enumerator, m);
  }
}

}  // namespace
}  // namespace heddle::explore::toy
