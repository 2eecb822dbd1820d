// Where main has waited for the end of a thread, by the place of its creation.
//
// In:      facts of one version; the control and data flow of main.
// Out:     for a creation, what main passes only after each thread that was created there has ended.
// Cost:    creations times joins.
// Owns:    values.
// Threads: immutable after construction.
// Fails:   never; what is not recognised is not there. Only creations and joins by main are looked at, with handles in
//          local variables that nothing else is given. A loop over an array counts: its end is passed after the joins.
// From:    MHB, pattern 4 (join).
#pragma once

#include <map>
#include <set>
#include <utility>

#include "benchmarks/choices/counted_loop.h"
#include "server/analysis/analysis.h"

namespace heddle::bench {

// What a thread passes once: calls, and ways from a branch to the block that follows it.
struct Passages {
  std::set<program::CodeAddress> calls;
  std::set<std::pair<program::CodeAddress, uint32_t>> ways;
};

class JoinedThreads {
 public:
  JoinedThreads(const analysis::Facts& facts, const analysis::CodeGraph& main);
  const std::map<program::CodeAddress, Passages>& by_creation() const { return passages_; }

 private:
  struct Creation {
    program::CodeAddress at;
    LocalRange handles;
  };

  std::vector<Creation> creations() const;  // none if a handle is not known
  bool is_given_away(const LocalRange& handles) const;
  void add_join(const analysis::Interaction& join, const std::vector<Creation>& creations);
  program::Slot argument(uint32_t index) const;

  const analysis::Facts& facts_;
  const analysis::CodeGraph& main_;
  const program::FunctionId id_;
  std::map<program::CodeAddress, Passages> passages_;
};

}  // namespace heddle::bench
