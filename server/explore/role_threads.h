// Finds the threads of a role among those of a state.
//
// In:      facts, a role, a machine.
// Out:     whether a thread belongs to the role; the role's n-th thread, in the order of thread numbers, from 0.
// Owns:    a description of the role.
// Threads: the thread that uses the machine.
// Fails:   never; a role that is unknown, or facts that are null, have no threads.
#pragma once

#include <vector>

#include "server/analysis/analysis.h"
#include "server/machine/machine.h"

namespace heddle::explore {

class RoleThreads {
 public:
  RoleThreads(const analysis::Facts* facts, analysis::RoleId role);

  machine::ThreadId find(const machine::Machine& machine, uint32_t instance) const;
  bool contains(const machine::Machine& machine, machine::ThreadId thread) const;

 private:
  // What a thread was given may not show, in a std::packaged_task for instance: it is then of all these roles.
  bool is_given_other(const machine::Machine& machine, machine::ThreadId thread) const;

  program::FunctionId entry_, callable_;
  std::vector<program::FunctionId> others_;  // callables of the other roles with this entry
  std::vector<program::CodeAddress> created_at_;
};

}  // namespace heddle::explore
