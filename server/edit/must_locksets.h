// Computes the locks that are held whenever a statement runs (must-locksets), for people to read; no decision rests on
// them.
//
// In:      facts of one version.
// Out:     lock objects per interaction; under-approximations.
// Cost:    functions times the locks they mention, a few rounds.
// Owns:    its tables; refers to the facts, which must outlive it.
// Threads: immutable after construction, readable anywhere.
// Fails:   never; an unknown lock is left out.
// From:    RacerD (must-held locksets over the call graph). Differs: a lock counts only if its operand can be one
//          object. A callee that takes locks and keeps them (std::lock_guard's constructor) takes the one that an
//          argument of the call names. A library function is such a callee if it takes locks and releases none; a
//          project function, if it does so on every path. What a callee may release counts as released.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "server/edit/view.h"

namespace heddle::edit {

class MustLocksets {
 public:
  explicit MustLocksets(const Facts& facts);
  std::vector<ObjectId> at(CodeAddress interaction) const;

 private:
  using Locks = std::set<ObjectId>;
  void find_releases();
  void find_keeps();
  struct Origin;
  Origin origin(FunctionId f, uint32_t index, Slot slot) const;
  std::optional<Slot> argument_slot(CodeAddress call, uint32_t parameter) const;
  std::set<ObjectId> wholes(FunctionId f, const Origin& address, unsigned depth) const;
  std::vector<ObjectId> kept_by(CodeAddress call, FunctionId callee) const;
  // What is held at every return, if `entry` is held at the beginning.
  Locks walk(FunctionId f, const Locks& entry, bool remember);
  void step(CodeAddress at, Locks& held) const;
  // Intersects the known locks with `held`; true: they shrank, or are the first.
  bool meet_entry(FunctionId f, const Locks& held);

  const Facts& facts_;
  std::vector<Locks> releases_;  // by FunctionId, callees included
  std::vector<Locks> takes_;     // by FunctionId, callees included: may take
  std::vector<Locks> keeps_;     // by FunctionId: one of these, or all if `keeps_all_`, when it returns
  std::vector<bool> keeps_all_;
  std::map<FunctionId, Locks> entries_;  // of functions that were reached
  std::map<CodeAddress, Locks> held_;    // of interactions
  std::set<FunctionId> work_;
};

}  // namespace heddle::edit
