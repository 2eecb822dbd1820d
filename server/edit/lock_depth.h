// Bounds how many locks a thread may hold at a statement; 0 proves that it holds none.
//
// In:      facts of one version.
// Out:     an upper bound per interaction, which includes locks that the callers hold; kLocksMany if none is known.
// Cost:    functions times their blocks, a few rounds.
// Owns:    its tables; refers to the facts, which must outlive it.
// Threads: immutable after construction, readable anywhere.
// Fails:   never; code that no thread's entry reaches has no bound.
// From:    interprocedural may-held lock counts, the counterpart of must_locksets.h. Differs: locks are counted, not
//          distinguished, so it need not know which mutex a library function locks for its caller.
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
  // The most locks held at a return, if `entry` are held at the beginning.
  Depth walk(FunctionId f, int entry, bool remember);
  Depth after(CodeAddress at, int depth) const;
  void enter(FunctionId f, int depth);

  const Facts& facts_;
  std::vector<Depth> leaves_;  // by FunctionId: the most locks it adds until it returns; none: it does not return
  std::vector<Depth> entries_;
  std::vector<FunctionId> work_;
  std::map<CodeAddress, int> held_;
};

}  // namespace heddle::edit
