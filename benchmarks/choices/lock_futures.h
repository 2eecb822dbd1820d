// Which shared objects a thread may access from a point of its code on, and which of them before it takes a given lock.
//
// In:      facts of one version; the machine, for the call stacks of its threads and the locks they hold.
// Out:     whether a plain access needs a scheduling choice: with the field accesses of the other threads, or also with
//          the locks that they have to take before.
// Cost:    locks times code times objects / 32, a few rounds.
// Owns:    its tables; refers to the facts, which must outlive it.
// Threads: immutable after construction, readable anywhere.
// Fails:   never; an access to an unknown object needs a choice. Accesses of exit handlers, signal handlers and after
//          longjmp are not seen: a use of these facts is compared with the true future (Choices::false_facts).
// From:    MHB sections 3 and 4.1 (field access), patterns 2 (lock) and 4 (join). Differs: accesses are kept by
// abstract
//          object, not by field; a join counts if both the creation and the join
//          are main's, each names the same handle, and they are in no loop, or if a thread waits there. Waits (pattern
//          1) and locks of `this` (pattern 3) are left out. Up to ten spin locks in one array count as one lock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/analysis/code_graph.h"
#include "server/machine/machine.h"

namespace heddle::bench {

class LockFutures {
 public:
  // `throws`: an exception may leave any call.
  LockFutures(const analysis::Facts& facts, bool throws);

  bool field_access_needs(machine::Machine& machine, machine::ThreadId thread) const;
  bool may_happen_before_needs(machine::Machine& machine, machine::ThreadId thread) const;

 private:
  using Bits = std::vector<uint64_t>;  // two per shared object: read, written
  // What can happen before a certain lock is taken, from each instruction on.
  struct Future {
    std::vector<std::vector<Bits>> before;  // FunctionId -> code index
    std::vector<std::vector<bool>> leaves;  // and may its function be left without the lock?
  };

  void find_objects();
  void find_locks();
  bool is_single(analysis::ObjectId object) const;
  // What a thread has to pass before: the taking of a lock, or the join of the thread that was created here.
  struct Gate {
    analysis::ObjectId lock;
    program::CodeAddress creation;  // valid if `lock` is not
  };
  bool passes(program::CodeAddress at, const Gate& gate) const;
  void find_joins();
  // A local variable of the function (the index of its allocation) and bytes in it; none if the address may be another.
  struct Local {
    uint32_t allocation = 0;
    int64_t offset = 0;
    auto operator<=>(const Local&) const = default;
  };
  std::optional<Local> local(uint32_t function, uint32_t index, program::Slot slot, unsigned depth = 8) const;
  bool is_stored_to(program::CodeAddress allocation) const;
  Future find_future(const Gate& gate) const;
  bool visit(uint32_t function, const Gate& gate, Future& future) const;
  void add_accesses(program::CodeAddress at, const Future& future, Bits& bits) const;
  // Adds the accesses of the instructions after this one. Returns whether the function may return.
  bool add_following(uint32_t function, uint32_t index, const Future& future, Bits& bits) const;
  Bits of_thread(const Future& future, const machine::Machine& machine, machine::ThreadId thread) const;
  Bits conflicting(const machine::Machine& machine, const machine::Operation& operation) const;
  bool another_conflicts(const Future& future, machine::Machine& machine, machine::ThreadId thread) const;

  const analysis::Facts& facts_;
  const bool throws_;
  uint32_t words_ = 0;
  std::vector<uint32_t> number_;                              // ObjectId -> its place among the shared ones
  std::vector<std::unique_ptr<analysis::CodeGraph>> graphs_;  // null: no role runs it
  std::map<program::CodeAddress, std::vector<program::FunctionId>> starts_;  // creation -> entries
  Future fields_;
  std::map<uint32_t, Future> locks_;                            // by ObjectId of the lock
  std::map<program::CodeAddress, program::CodeAddress> joins_;  // -> the creation of the joined thread
  std::map<program::CodeAddress, Future> joined_;               // by creation
};

}  // namespace heddle::bench
