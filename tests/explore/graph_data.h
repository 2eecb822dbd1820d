// Scripts with unknown inputs: a value is what it is for each of the inputs, and a condition is the inputs for which it
// holds. A graph stands for all inputs that lead along it.
#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/explore/graph_enumerator.h"

namespace heddle::explore::toy {

struct Unknown {
  std::array<int, kAssignments> numbers{};

  Unknown() = default;
  explicit Unknown(int number) { numbers.fill(number); }
  friend Unknown operator+(Unknown a, const Unknown& b) {
    for (size_t n = 0; n < kAssignments; ++n) a.numbers[n] += b.numbers[n];
    return a;
  }
};

inline Inputs equal(const Unknown& a, const Unknown& b) {
  Inputs result = 0;
  for (size_t n = 0; n < kAssignments; ++n) result |= Inputs{a.numbers[n] == b.numbers[n]} << n;
  return result;
}

inline int input_of(int assignment, int input) { return input == 0 ? assignment % kDomain : assignment / kDomain; }

// Each input by itself.
inline const Unknown* all_inputs() {
  static const auto all = [] {
    std::array<Unknown, kInputs> result;
    for (int n = 0; n < kAssignments; ++n)
      for (int i = 0; i < kInputs; ++i) result[static_cast<size_t>(i)].numbers[static_cast<size_t>(n)] = input_of(n, i);
    return result;
  }();
  return all.data();
}

using DataToy = BasicGraphToy<Unknown>;

// What the search finds, by the inputs that lead there, in the words of the enumerator: questions have no place in
// them.
class DataCollector {
 public:
  explicit DataCollector(const DataToy& toy) : toy_(toy) {}

  bool ended(const graph::ExecutionGraph& g, GraphEnd end) {
    count_questions(g);
    const std::string words = text(g);
    twice = twice || !classes_.insert(words + answers_).second;
    nothing = nothing || toy_.path() == 0;
    bool failure = false;
    for (uint32_t t = 0; t < g.thread_count(); ++t) failure = failure || toy_.walker(t).failed();
    for (size_t n = 0; n < kAssignments; ++n) {
      if ((toy_.path() >> n & 1) == 0) continue;
      Enumerated& result = found[n];
      (end == GraphEnd::Blocked ? result.blocked : result.complete).insert(words);
      result.failure = result.failure || failure;
    }
    return true;
  }
  void race(const graph::ExecutionGraph&, EventId) {}
  static bool stopped() { return false; }

  std::array<Enumerated, kAssignments> found;
  bool twice = false;    // a graph with the same answers
  bool nothing = false;  // a graph that no input leads to

 private:
  // Numbers of events as they are without questions; and the answers.
  void count_questions(const graph::ExecutionGraph& g) {
    numbers_.assign(g.thread_count(), {});
    answers_.clear();
    for (uint32_t t = 0; t < g.thread_count(); ++t) {
      int number = 0;
      for (uint32_t n = 0; n < g.length(t); ++n) {
        const graph::Event& event = g.at(EventId::make(t, n));
        numbers_[t].push_back(number);
        number += !is_question(event);
        answers_ += std::to_string(event.outcome);
      }
      answers_ += ' ';
    }
  }
  static bool is_question(const graph::Event& event) {
    return event.label.kind == Kind::Write && event.label.location.value >= DataToy::kQuestions;
  }
  std::string name(EventId id) const {
    return id == graph::kInitial ? "init" : name_of(static_cast<int>(id.thread()), numbers_[id.thread()][id.index()]);
  }
  std::string text(const graph::ExecutionGraph& g) const {
    std::string words;
    std::set<uint32_t> locations;
    for (uint32_t t = 0; t < g.thread_count(); ++t) {
      for (uint32_t n = 0; n < g.length(t); ++n) {
        const graph::Event& event = g.at(EventId::make(t, n));
        if (is_question(event)) continue;
        if (event.label.kind == Kind::Read) words += name(event.id) + "<" + name(event.from) + " ";
        if (event.label.kind == Kind::Read || event.label.kind == Kind::Write)
          locations.insert(event.label.location.value);
      }
    }
    for (const uint32_t location : locations) {
      words += "| ";
      for (const EventId write : g.coherence({location})) words += name(write) + " ";
    }
    return words;
  }

  const DataToy& toy_;
  std::vector<std::vector<int>> numbers_;  // by thread and index
  std::string answers_;
  std::set<std::string> classes_;
};

}  // namespace heddle::explore::toy
