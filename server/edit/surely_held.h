// Locks that are held whenever a statement runs, for people to read; nothing is decided by it.
//
// In:      facts of one version. Out: lock objects; under-approximations.
// Cost:    functions times the locks they mention, a few rounds.
// Owns:    its tables; refers to the facts. Threads: pure after construction. Fails: never.
// From:    must-held locksets as a forward analysis over the call graph (as in RacerD). Differs: a lock counts only
// where
//          its operand can be one object; what a callee takes and keeps does not count, what it may release does.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "server/edit/view.h"

namespace heddle::edit {

class SurelyHeld {
 public:
  explicit SurelyHeld(const Facts& facts);
  std::vector<ObjectId> at(CodeAddress interaction) const;

 private:
  using Locks = std::set<ObjectId>;
  void find_releases();
  void walk(FunctionId f, const Locks& entry);
  void step(CodeAddress at, Locks& held) const;
  // The intersection with what is known; true: it shrank, or is the first.
  bool meet_entry(FunctionId f, const Locks& held);

  const Facts& facts_;
  std::vector<Locks> releases_;          // by FunctionId, callees included
  std::map<FunctionId, Locks> entries_;  // of functions that were reached
  std::map<CodeAddress, Locks> held_;    // of interactions
  std::set<FunctionId> work_;
};

}  // namespace heddle::edit
