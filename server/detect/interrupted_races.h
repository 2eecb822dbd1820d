// Which data races a failure may follow from: those inside which its schedule interrupts a thread, by performing steps
// of others before a plain access, which only a race made a scheduling point. Whether the failure needs that, so that
// it is no defect of its own, explore::minimise finds out.
//
// In:      a machine that runs the failure's schedule: what it is about to do, and where it ends.
// Out:     the identities of the races' findings.
// Cost:    per step one look at a pending operation.
// Owns:    the statements that were interrupted. Threads: one, the machine's.
// Fails:   never. Where no race that was interrupted came up before the failure, all that did are named.
#pragma once

#include <string>
#include <vector>

#include "server/detect/finding.h"

namespace heddle::detect {

bool is_plain(machine::OperationKind kind);  // an access that is a scheduling point only because it races

class InterruptedRaces {
 public:
  // Before `next` performs its pending operation, `last` having performed the one before and being able to go on.
  void switches(machine::Machine& machine, machine::ThreadId last);
  // At the end of the schedule; `own`: the finding whose schedule it is.
  std::vector<std::string> identities(const machine::Machine& machine, const std::string& own) const;

 private:
  std::vector<machine::CodeAddress> statements_;  // the project's own
};

}  // namespace heddle::detect
