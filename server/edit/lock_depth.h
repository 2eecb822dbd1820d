// How many locks a thread may hold at a statement: "no lock is held" can be said of 0 only.
//
// In:      facts of one version. Out: an upper bound per interaction, of locks held by the functions behind it on the
//          stack, too; kLocksMany where there is none.
// Cost:    functions times their blocks, a few rounds.
// Owns:    its tables; refers to the facts. Threads: pure after construction. Fails: never.
// From:    ours: the counterpart of surely_held.h. Locks are counted, not told apart: which mutex a library's function
//          locks for its caller need not be known.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "server/edit/view.h"

namespace heddle::edit {

inline constexpr int kLocksMany = 8;

class LockDepth {
 public:
  explicit LockDepth(const Facts& facts);
  int at(CodeAddress interaction) const;

 private:
  using Depth = std::optional<int>;  // none: not reached
  // The most at a return when `entry` are held at the beginning.
  Depth walk(FunctionId f, int entry, bool remember);
  Depth after(CodeAddress at, int depth) const;
  void enter(FunctionId f, int depth);

  const Facts& facts_;
  std::vector<Depth> leaves_;  // by FunctionId: locks it may leave held more than it found; none: it does not return
  std::vector<Depth> entries_;
  std::vector<FunctionId> work_;
  std::map<CodeAddress, int> held_;
};

}  // namespace heddle::edit
