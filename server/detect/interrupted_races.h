// Data races that may have caused a failure: those at which the failure's schedule interrupts a thread before a plain
// access, which is a scheduling point only because it races.
//
// In:      a machine that runs the failure's schedule: what it is about to do, and where it ends.
// Out:     the identities of the races' findings. explore::minimise decides whether the failure needs the
//          interruptions.
// Cost:    one look at a pending operation per switch between threads.
// Owns:    the statements that were interrupted.
// Threads: the thread that uses the machine.
// Fails:   never. If threads were interrupted, but at none of the path's races, all races of the path are named.
#pragma once

#include <string>
#include <vector>

#include "server/detect/finding.h"

namespace heddle::detect {

bool is_plain(machine::OperationKind kind);  // an access that is a scheduling point only because it races

class InterruptedRaces {
 public:
  // Called before another thread performs its operation, if `last` performed the one before and is still enabled.
  void switches(machine::Machine& machine, machine::ThreadId last);
  // At the end of the schedule; `own`: the finding whose schedule it is.
  std::vector<std::string> identities(const machine::Machine& machine, const std::string& own) const;

 private:
  std::vector<machine::CodeAddress> statements_;  // the project's own
};

}  // namespace heddle::detect
