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
// From:    MHB sections 3 and 4.1 (field access), patterns 1 (wait), 2 (lock) and 4 (join). Differs: accesses are kept
// by
//          abstract object, not by field, and for each role of threads apart (RoleObjects). What a thread has to pass
//          before: the taking of a lock that is held, or the wait for it; the end of a thread (JoinedThreads); a count
//          that others have not reached (Counter). Locks of `this` (pattern 3) are left out. Up to ten spin locks in
//          one array count as one lock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "benchmarks/choices/counters.h"
#include "benchmarks/choices/joined_threads.h"
#include "benchmarks/choices/role_objects.h"
#include "server/machine/code/image.h"
#include "server/machine/machine.h"

namespace heddle::bench {

class LockFutures {
 public:
  // `throws`: an exception may leave any call.
  LockFutures(const analysis::Facts& facts, const machine::Image& image, bool throws);

  bool field_access_needs(machine::Machine& machine, machine::ThreadId thread) const;  // any role touches all
  bool may_happen_before_needs(machine::Machine& machine, machine::ThreadId thread) const;

 private:
  using Bits = std::vector<uint64_t>;  // two per shared object: read, written
  // What a thread has to pass: the taking of a lock, or certain calls and ways.
  struct Gate {
    analysis::ObjectId lock;
    const Passages* passages = nullptr;
    bool any_role = false;  // accesses are not distinguished by the role
  };
  // What a role can do before it passes the gate, from each instruction on.
  struct RoleFuture {
    std::vector<std::vector<Bits>> before;  // FunctionId -> code index; empty: the role does not run it
    std::vector<std::vector<bool>> leaves;  // and may its function be left without the gate?
  };
  struct Future {
    Gate gate;
    std::vector<RoleFuture> of;  // RoleId ->
  };

  void find_objects();
  void find_accesses();
  void find_locks();
  bool is_single(analysis::ObjectId object) const;
  bool passes(program::CodeAddress at, const Gate& gate) const;
  Future find_future(const Gate& gate) const;
  bool visit(analysis::RoleId role, uint32_t function, Future& future) const;
  void add_accesses(analysis::RoleId role, program::CodeAddress at, const Future& future, Bits& bits) const;
  // Adds the accesses of the instructions after this one. Returns whether the function may return.
  bool add_following(analysis::RoleId role, program::CodeAddress at, const Future& future, Bits& bits) const;
  std::vector<analysis::RoleId> roles_of(const machine::Machine& machine, machine::ThreadId thread) const;
  Bits of_thread(const Future& future, const machine::Machine& machine, machine::ThreadId thread) const;
  void add_of_role(analysis::RoleId role, const Future& future, const std::vector<program::CodeAddress>& stack,
                   Bits& bits) const;
  Bits conflicting(const machine::Machine& machine, const machine::Operation& operation) const;
  bool another_conflicts(const Future& future, machine::Machine& machine, machine::ThreadId thread) const;
  bool is_written(const Bits& bits, analysis::ObjectId object) const;
  // How often threads other than this one may still change the counter; none: there is no bound.
  std::optional<int64_t> changes_left(const Counter& counter, machine::Machine& machine,
                                      machine::ThreadId thread) const;
  void add_closed_gates(machine::Machine& machine, machine::ThreadId thread, std::vector<const Future*>& futures) const;

  const analysis::Facts& facts_;
  const machine::Image& image_;
  const bool throws_;
  uint32_t words_ = 0;
  std::vector<uint32_t> number_;                                          // ObjectId -> its place among the shared ones
  std::vector<std::unique_ptr<analysis::CodeGraph>> graphs_;              // null: no role runs it
  std::map<program::CodeAddress, std::vector<analysis::RoleId>> starts_;  // creation -> roles
  std::vector<std::map<program::CodeAddress, Bits>> accesses_;            // RoleId -> interaction -> what it touches
  std::map<program::CodeAddress, Bits> accesses_of_any_;                  // what any role touches there
  Future fields_, fields_of_any_;
  std::map<uint32_t, Future> locks_;  // by ObjectId of the lock
  std::optional<JoinedThreads> joins_;
  std::map<program::CodeAddress, Future> joined_;  // by creation
  std::vector<Counter> counters_;
  std::vector<std::vector<Future>> counted_;  // by counter and gate
};

}  // namespace heddle::bench
