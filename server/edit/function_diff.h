// Compares one function between two versions: matches its effects by what they do, and lists what changed.
//
// In:      views of the function in both versions.
// Out:     code indices of inserted, changed and deleted effects.
// Cost:    two slices of each version, one alignment.
// Owns:    nothing; values.
// Threads: one, because the views fill tables at first use.
// Fails:   never.
// From:    Pairwise section 2 (inserted and deleted statements). Differs: a statement counts as changed, too, if its
//          operands or conditions differ.
#pragma once

#include "server/edit/flow_changes.h"
#include "server/edit/versions.h"
#include "server/edit/view.h"

namespace heddle::edit {

struct FunctionDiff {
  struct Changed {
    uint32_t before, after;
    bool occurrence;                                // the conditions under which it happens differ, or its loops
    std::vector<uint32_t> operands;                 // of calls: numbers of the operands that differ
    bool own_condition = false, own_value = false;  // its conditions' text or its own differs; project only
  };
  struct Deleted {
    uint32_t before;
    uint32_t previous, next;  // the nearest matched effects in the new version; kNone at the ends
  };
  static constexpr uint32_t kNone = 0xffffffffu;
  std::vector<uint32_t> inserted;
  std::vector<Changed> changed;
  std::vector<Deleted> deleted;
  std::vector<uint32_t> hazards;   // of the new version: new ones, and those that something else decides now
  std::vector<Outlived> outlived;  // unchanged statements of the new version that come after the end of a life now
  std::vector<uint32_t> resumed;   // matched effects of the new version that follow a loop that is gone
};

FunctionDiff diff(const Versions& versions, const FunctionView& before, const FunctionView& after);

}  // namespace heddle::edit
