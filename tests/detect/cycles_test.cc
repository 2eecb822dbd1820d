// Cycles of waiting threads, against all sets of threads.
#include "server/detect/cycles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace heddle::detect {
namespace {

using machine::ThreadId;
using Graph = std::vector<std::vector<ThreadId>>;

// Nobody of the set is without a neighbour in it, whoever is taken away: then it holds a cycle.
bool holds_cycle(const Graph& graph, uint32_t set) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (uint32_t n = 0; n < graph.size(); ++n) {
      if ((set >> n & 1) == 0) continue;
      if (std::any_of(graph[n].begin(), graph[n].end(), [&](ThreadId to) { return (set >> to.value & 1) != 0; }))
        continue;
      set &= ~(1u << n);
      smaller = true;
    }
  }
  return set != 0;
}

std::set<uint32_t> smallest_sets(const Graph& graph) {
  std::set<uint32_t> result;
  for (uint32_t set = 1; set < 1u << graph.size(); ++set) {
    bool smallest = holds_cycle(graph, set);
    for (uint32_t n = 0; n < graph.size() && smallest; ++n)
      if ((set >> n & 1) != 0) smallest = !holds_cycle(graph, set & ~(1u << n));
    if (smallest) result.insert(set);
  }
  return result;
}

uint32_t set_of(const Cycle& cycle) {
  uint32_t set = 0;
  for (const ThreadId thread : cycle) set |= 1u << thread.value;
  return set;
}

Graph random_graph(std::mt19937& random) {
  Graph graph(1 + random() % 6);
  const uint32_t density = 1 + random() % 5;
  for (auto& next : graph)
    for (uint32_t to = 0; to < graph.size(); ++to)
      if (random() % 6 < density) next.push_back(ThreadId(to));
  return graph;
}

TEST(Cycles, AreTheSmallestSetsThatHoldOne) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  uint32_t several = 0;
  for (int round = 0; round < 3000; ++round) {
    const Graph graph = random_graph(random);
    const WaitsFor waits_for = [&](ThreadId thread) { return graph[thread.value]; };
    const auto cycles = all_cycles(static_cast<uint32_t>(graph.size()), waits_for);
    std::set<uint32_t> sets;
    for (const Cycle& cycle : cycles) {
      EXPECT_TRUE(sets.insert(set_of(cycle)).second) << "a cycle twice";
      EXPECT_EQ(cycle.front(), *std::min_element(cycle.begin(), cycle.end()));
      for (size_t n = 0; n < cycle.size(); ++n) {
        const auto& next = graph[cycle[n].value];
        EXPECT_NE(std::find(next.begin(), next.end(), cycle[(n + 1) % cycle.size()]), next.end());
      }
    }
    ASSERT_EQ(sets, smallest_sets(graph));
    several += cycles.size() > 1;
    for (uint32_t n = 0; n < graph.size(); ++n) {
      std::set<uint32_t> through, wanted;
      for (const Cycle& cycle : cycles_through(ThreadId(n), waits_for)) through.insert(set_of(cycle));
      for (const uint32_t set : sets)
        if ((set >> n & 1) != 0) wanted.insert(set);
      ASSERT_EQ(through, wanted);
    }
  }
  EXPECT_GT(several, 500u);
}

}  // namespace
}  // namespace heddle::detect
