// Computes what synchronisation orders: the objects used while a lock may be held, nested locks, and the objects used
// by threads that share a condition variable, semaphore or barrier.
//
// In:      facts of one version.
// Out:     sorted object lists and object sets; over-approximations.
// Cost:    blocks times distinct lock operands, over all functions that threads run.
// Owns:    its tables; refers to the facts, which must outlive it.
// Threads: immutable after construction, readable anywhere.
// Fails:   never.
// From:    interprocedural may-locksets. Differs: locksets are counts relative to the function's entry.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "server/edit/view.h"

namespace heddle::edit {

class MayLocksets {
 public:
  explicit MayLocksets(const Facts& facts);

  // Objects that the synchronisation statements order: those used under their locks, or by threads that use the same
  // synchronisation object. A call orders what the code that it runs orders. Other statements order nothing.
  std::vector<ObjectId> ordered_by(const std::vector<CodeAddress>& statements) const;
  // Locks that may be held when the statement runs.
  const ObjectSet& held_at(CodeAddress statement) const;
  // The shared objects used under a lock.
  const ObjectSet& guarded(ObjectId lock) const;
  // Locks taken while this one may be held, and those held while it is taken.
  const ObjectSet& nested(ObjectId lock) const;
  // Objects that a role touches.
  const ObjectSet& touched(analysis::RoleId role) const { return touched_[role.value]; }

 private:
  using Counts = std::vector<int8_t>;  // per lock set: taken minus released
  void intern();
  bool summarise(FunctionId f);
  void find_changing();
  void solve();
  void collect();
  template <typename Visit>
  void walk(FunctionId f, Visit visit) const;
  void step(CodeAddress at, Counts& counts) const;
  void merge(Counts& into, const Counts& from) const;
  void add_ordered(const Interaction& interaction, const std::vector<analysis::RoleId>& runners, ObjectSet& to) const;

  const Facts& facts_;
  std::vector<std::vector<ObjectId>> sets_;                     // distinct lock operands
  std::map<CodeAddress, std::pair<uint32_t, int8_t>> changes_;  // lock statements: set, +1 or -1
  std::vector<std::unique_ptr<CodeGraph>> graphs_;
  std::vector<bool> changes_locks_;          // by FunctionId
  std::vector<Counts> summaries_, entries_;  // by FunctionId; empty: not reached yet
  std::map<CodeAddress, ObjectSet> held_;    // of interactions
  std::map<ObjectId, ObjectSet> guarded_, nested_;
  std::vector<ObjectSet> touched_;
};

}  // namespace heddle::edit
