// Scheduling choices of the search of the may-happen-before paper, by what is known of the future of each state.
//
// In:      all states of a program.
// Out:     per Knowledge the number of states in which a search that matches states chooses a thread, and of the
//          objects whose accesses are the reason. Per state and thread whether a choice is needed at its plain access.
// Cost:    threads times states times accesses / 64, a few rounds if there are cycles.
// Owns:    its tables; refers to the graph, which must outlive it.
// Threads: one.
// Fails:   never; the graph must be complete.
// From:    MHB section 3 and Table 2. Differs: the futures are the true ones, not those of a static analysis.
#pragma once

#include <array>
#include <set>
#include <utility>

#include "benchmarks/choices/state_graph.h"

namespace heddle::bench {

enum Knowledge : uint8_t {
  kShared,  // nothing: a choice at each access to an object that two threads reach
  kField,   // no choice where no other thread makes a conflicting access later
  kPhases,  // nor where none does that may live before this one's thread goes on
  kBefore,  // nor where each such access comes after this one in every interleaving from here
};
constexpr unsigned kKnowledges = 4;

// Bits of State::marks, as analyses know it: no other thread runs beside the access; no other makes a conflicting one
// later (LockFutures); each such access comes after this one.
constexpr uint8_t kAlone = 1, kFieldKnown = 2, kBeforeKnown = 4;

class Choices {
 public:
  explicit Choices(const StateGraph& graph);
  bool needed(Knowledge knowledge, uint32_t state, uint32_t thread) const {
    return needed_[state * threads_ + thread] >> knowledge & 1;
  }
  uint64_t count(Knowledge knowledge) const;
  // Pairs of instructions of which one makes the other's choice needed (not for kShared), and the run-time objects that
  // they access. Left out are accesses for which State::marks has the bit kAlone.
  uint64_t pairs(Knowledge knowledge) const;
  uint64_t objects(Knowledge knowledge) const;
  // Where this bit says that no choice is needed, and it is, even with this knowledge.
  uint64_t false_facts(uint8_t bit, Knowledge knowledge) const;
  // Choices of a search that needs none where State::marks has this bit.
  uint64_t count_marked(uint8_t bit) const;

 private:
  template <typename Needed>
  uint64_t walk(Needed needed) const;
  // Accesses that can follow each state over the steps that `passes` names, by threads that `counts` names.
  template <typename Passes, typename Counts>
  void find_later(Passes passes, Counts counts);
  // The thread's access in the state conflicts with one of later_: notes that for these kinds of knowledge.
  void note_needed(uint32_t state, uint32_t thread, uint8_t knowledges);
  // By state: the threads that live in it, or after steps of others than this one.
  std::vector<uint32_t> beside(uint32_t thread) const;

  const StateGraph& graph_;
  uint32_t threads_, words_;
  std::vector<uint64_t> later_;                                           // words_ per state
  std::vector<uint64_t> conflict_;                                        // words_ per access
  std::vector<uint8_t> needed_;                                           // threads_ per state: a bit per Knowledge
  std::array<std::set<std::pair<uint32_t, uint32_t>>, kKnowledges> met_;  // conflicting accesses
};

}  // namespace heddle::bench
