#include "benchmarks/choices/choices.h"

#include <algorithm>
#include <bit>

namespace heddle::bench {

Choices::Choices(const StateGraph& graph)
    : graph_(graph), threads_(graph.threads), words_(static_cast<uint32_t>(graph.accesses.size() + 63) / 64) {
  conflict_.assign(graph.accesses.size() * words_, 0);
  for (size_t a = 0; a < graph.accesses.size(); ++a)
    for (size_t b = 0; b < graph.accesses.size(); ++b)
      if (graph.conflicts[a][b]) conflict_[a * words_ + b / 64] |= uint64_t{1} << b % 64;
  needed_.assign(graph.states.size() * threads_, 1u << kShared);
  std::vector<std::vector<uint32_t>> living;
  for (uint32_t t = 0; t < threads_; ++t) living.push_back(beside(t));
  for (uint32_t actor = 0; actor < threads_; ++actor) {
    find_later([](uint32_t) { return true; }, [&](uint32_t thread) { return thread == actor; });
    for (uint32_t s = 0; s < graph.states.size(); ++s)
      for (uint32_t t = 0; t < graph.states[s].plain.size(); ++t)
        if (t != actor) note_needed(s, t, static_cast<uint8_t>(1u << kField | (living[t][s] >> actor & 1) << kPhases));
  }
  for (uint32_t t = 0; t < threads_; ++t) {
    const auto another = [&](uint32_t thread) { return thread != t; };
    find_later(another, another);
    for (uint32_t s = 0; s < graph.states.size(); ++s)
      if (t < graph.states[s].plain.size()) note_needed(s, t, 1u << kBefore);
  }
}

template <typename Passes, typename Counts>
void Choices::find_later(Passes passes, Counts counts) {
  later_.assign(graph_.states.size() * words_, 0);
  for (bool grew = true; grew;) {
    grew = false;
    for (const uint32_t s : graph_.order) {
      for (const StateGraph::Step& step : graph_.states[s].steps) {
        if (!passes(step.thread)) continue;
        uint64_t* own = &later_[s * words_];
        if (step.access != StateGraph::kNone && counts(step.thread)) {
          uint64_t& word = own[step.access / 64];
          const uint64_t bit = uint64_t{1} << step.access % 64;
          grew |= (word & bit) == 0;
          word |= bit;
        }
        if (step.target == StateGraph::kNone) continue;
        const uint64_t* next = &later_[step.target * words_];
        for (uint32_t w = 0; w < words_; ++w) {
          grew |= (next[w] & ~own[w]) != 0;
          own[w] |= next[w];
        }
      }
    }
  }
}

std::vector<uint32_t> Choices::beside(uint32_t thread) const {
  std::vector<uint32_t> result(graph_.states.size());
  for (bool grew = true; grew;) {
    grew = false;
    for (const uint32_t s : graph_.order) {
      uint32_t living = graph_.states[s].living;
      for (const StateGraph::Step& step : graph_.states[s].steps)
        if (step.thread != thread && step.target != StateGraph::kNone) living |= result[step.target];
      grew |= (living & ~result[s]) != 0;
      result[s] |= living;
    }
  }
  return result;
}

void Choices::note_needed(uint32_t state, uint32_t thread, uint8_t knowledges) {
  const uint32_t access = graph_.states[state].plain[thread];
  if (access == StateGraph::kNone) return;
  for (uint32_t w = 0; w < words_; ++w) {
    uint64_t found = later_[state * words_ + w] & conflict_[access * words_ + w];
    if (found != 0) needed_[state * threads_ + thread] |= knowledges;
    if ((graph_.states[state].marks[thread] & kAlone) != 0) continue;
    for (; found != 0; found &= found - 1)
      for (unsigned k = 0; k < kKnowledges; ++k)
        if (knowledges >> k & 1) met_[k].insert({access, w * 64 + std::countr_zero(found)});
  }
}

template <typename Needed>
uint64_t Choices::walk(Needed needed) const {
  if (graph_.states.empty()) return 0;
  std::vector<bool> chosen(graph_.states.size()), passed(graph_.states.size() * threads_);
  std::vector<std::pair<uint32_t, uint32_t>> work{{0, 0}};  // a state, and the thread that did the last step
  uint64_t count = 0;
  while (!work.empty()) {
    const auto [s, running] = work.back();
    work.pop_back();
    const StateGraph::State& state = graph_.states[s];
    const bool goes_on =
        (state.enabled >> running & 1) != 0 && state.plain[running] != StateGraph::kNone && !needed(s, running);
    if (goes_on ? passed[s * threads_ + running] : chosen[s]) continue;
    if (goes_on) {
      passed[s * threads_ + running] = true;
    } else {
      chosen[s] = true;
      count += std::popcount(state.enabled) > 1;
    }
    for (const StateGraph::Step& step : state.steps)
      if (step.target != StateGraph::kNone && (!goes_on || step.thread == running))
        work.push_back({step.target, step.thread});
  }
  return count;
}

uint64_t Choices::count(Knowledge knowledge) const {
  return walk([&](uint32_t s, uint32_t t) { return needed(knowledge, s, t); });
}

uint64_t Choices::pairs(Knowledge knowledge) const {
  std::set<std::pair<machine::CodeAddress, machine::CodeAddress>> pairs;
  for (const auto& [a, b] : met_[knowledge]) pairs.insert(std::minmax(graph_.accesses[a].at, graph_.accesses[b].at));
  return pairs.size();
}

uint64_t Choices::objects(Knowledge knowledge) const {
  std::set<uint32_t> objects;
  for (const auto& met : met_[knowledge]) objects.insert(graph_.accesses[met.first].range.object);
  return objects.size();
}

uint64_t Choices::false_facts(uint8_t bit, Knowledge knowledge) const {
  uint64_t count = 0;
  for (uint32_t s = 0; s < graph_.states.size(); ++s)
    for (uint32_t t = 0; t < graph_.states[s].plain.size(); ++t)
      count += (graph_.states[s].marks[t] & bit) != 0 && needed(knowledge, s, t);
  return count;
}

uint64_t Choices::count_marked(uint8_t bit) const {
  return walk([&](uint32_t s, uint32_t t) { return (graph_.states[s].marks[t] & bit) == 0; });
}

}  // namespace heddle::bench
