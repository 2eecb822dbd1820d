// Edits of critical sections: locks that come, go, change, or hold for more or less.
//
// In:      as Spots.
// Out:     the tree is changed.
// Owns:    nothing.
// Threads: one.
// Fails:   false if nothing can be edited so.
#pragma once

#include <vector>

#include "tests/judge/spots.h"

namespace heddle::judge {

class LockEdits : protected Spots {
 protected:
  using Spots::Spots;

  static bool locked(const Statement& s) { return s.kind == StatementKind::Locked; }
  bool drop_lock();
  bool unwrap(std::vector<Statement> body);
  std::vector<const Global*> locks(uint32_t group) const;
  void take(Statement& s, const Global& lock);
  bool add_lock();
  bool swap_lock();
  bool widen_lock();
  bool narrow_lock();
  bool lock_style();
};

}  // namespace heddle::judge
