// Unsynchronised reads: whether a thread acted on a value of another thread without happens-before.
//
// In:      a machine; the thread before and after it performs an operation.
// Out:     true if the thread has read what no happens-before orders (a relaxed read, a race, a failed try-lock), and
//          then accessed shared memory or did anything that others may notice.
// Cost:    for operations that read memory, a walk back to the last write of the same bytes on the path.
// Owns:    a flag for each event of the path.
// Threads: the thread that uses the machine.
// Fails:   never; over-approximates: true on every path of more than 20,000 events.
//
// Two cases do not count. A later read may order the writer of a relaxed read before the thread: waiting loops often
// look twice. And what the C++ library reads for itself (reference counts, the words of its futures) is trusted to
// decide nothing about the project's memory.
#pragma once

#include <vector>

#include "server/machine/machine.h"

namespace heddle::explore {

class ValueOrder {
 public:
  explicit ValueOrder(machine::Machine& machine) : machine_(machine) {}
  void about_to(machine::ThreadId thread);
  bool used_unsynchronised_read(machine::ThreadId thread) const;

 private:
  machine::Machine& machine_;
  std::vector<bool> trusted_;  // by event of the path: the library reads for itself
};

}  // namespace heddle::explore
