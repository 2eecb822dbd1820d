// What changed inside one function: its effects, matched between two versions by what they do.
//
// In:      views of the function in both versions. Out: code indices of inserted, changed and deleted effects.
// Cost:    two rounds of slices, one alignment. Owns: values. Threads: pure. Fails: never.
// From:    Pairwise section 2 (inserted and deleted statements). Differs: a statement whose operands or conditions
//          changed is a change, too.
#pragma once

#include "server/edit/versions.h"
#include "server/edit/view.h"

namespace heddle::edit {

struct FunctionDiff {
  struct Changed {
    uint32_t before, after;
    bool occurrence;                                // the conditions under which it happens differ
    std::vector<uint32_t> operands;                 // of calls: numbers of the operands that differ
    bool own_condition = false, own_value = false;  // its text or that of its conditions differs; project only
  };
  struct Deleted {
    uint32_t before;
    uint32_t previous, next;  // the nearest matched effects in the new version; kNone at the ends
  };
  static constexpr uint32_t kNone = 0xffffffffu;
  std::vector<uint32_t> inserted;
  std::vector<Changed> changed;
  std::vector<Deleted> deleted;
  std::vector<uint32_t> hazards;  // of the new version: may fail or never end, and are new or decided otherwise
  std::vector<uint32_t> resumed;  // matched effects of the new version behind a loop that is gone
};

FunctionDiff diff(const Versions& versions, const FunctionView& before, const FunctionView& after);

}  // namespace heddle::edit
