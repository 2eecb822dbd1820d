// Did a thread get a value from another without being ordered after it, and act on it?
//
// In:      a machine; the thread before and after it performs an operation.
// Out:     true if the thread has read what another thread wrote and nothing orders the write before it (a relaxed
//          read, a race, a lock tried in vain), and then has accessed shared memory or done anything that others may
//          notice. A relaxed read whose writer is ordered before the thread by the next read is no such case: waiting
//          loops often look twice. Nor is what the C++ library reads for itself (its reference counts, the words of
//          its futures): it is trusted to draw no conclusions about the project's memory from it.
// Cost:    for operations that read memory, back to the last write of the same bytes on the path.
// Owns:    a flag for each event of the path. Threads: as the machine. Fails: never.
#pragma once

#include <vector>

#include "server/machine/machine.h"

namespace heddle::explore {

class ValueOrder {
 public:
  explicit ValueOrder(machine::Machine& machine) : machine_(machine) {}
  void about_to(machine::ThreadId thread);
  bool acted_on_unordered(machine::ThreadId thread) const;

 private:
  machine::Machine& machine_;
  std::vector<bool> trusted_;  // by event of the path: the library reads for itself
};

}  // namespace heddle::explore
