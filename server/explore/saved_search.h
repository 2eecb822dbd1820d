// A search without states as it is written down: its path, and what is left at each choice of the path.
//
// In:      bytes that PartialOrderSearch::save made.
// Out:     the same as values; bytes of them.
// Owns:    its nodes and trees.
// Threads: one at a time.
// Fails:   read() returns false for bytes that do not fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/explore/explore.h"
#include "server/explore/saved.h"
#include "server/explore/thread_set.h"
#include "server/explore/wakeup_tree.h"

namespace heddle::explore {

struct SavedNode {
  ThreadSet enabled, backtrack, done, sleep;
  ThreadSet others;  // threads that other parts try here: a reversal that one of them begins is theirs
  uint32_t current = 0, alternative = 0, alternatives = 1;
  uint32_t streak = 0;    // steps in a row that were no scheduling points
  uint64_t outcomes = 0;  // see following()
  bool forced = false;    // the current operation is no scheduling point
  bool begins = false;    // nothing was tried of the current thread yet: its alternatives are not known
};

struct SavedSearch {
  struct Counts {
    // own: the choices before are shared with other parts; in the last of them only further alternatives of the
    // current thread are left. ended: nothing is left of the search itself.
    uint64_t own = 0, nodes = 0, ended = 0;
  };
  Statistics statistics, begun;
  uint64_t own = 0;
  bool ended = false;
  std::vector<SavedNode> nodes;
  std::vector<WakeupTrees::List> wakeup;  // by node, in `trees`
  WakeupTrees trees;

  bool read(const std::string& bytes) {
    Reader in(bytes);
    statistics = in.value<Statistics>();
    begun = in.value<Statistics>();
    const auto counts = in.value<Counts>();
    own = counts.own;
    ended = counts.ended != 0;
    for (uint64_t n = 0; in.good() && n < counts.nodes; ++n) {
      nodes.push_back(in.value<SavedNode>());
      wakeup.push_back(trees.restore(in));
    }
    return in.good() && own <= nodes.size() && (ended || !nodes.empty());
  }
  std::string bytes() const {
    Writer out;
    out.value(statistics);
    out.value(begun);
    out.value(Counts{own, nodes.size(), ended});
    for (size_t n = 0; n < nodes.size(); ++n) {
      out.value(nodes[n]);
      trees.save(wakeup[n], out);
    }
    return out.bytes();
  }
};

}  // namespace heddle::explore
