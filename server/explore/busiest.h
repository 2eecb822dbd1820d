// Where a search takes most of its steps: what is reported of a search that does not end. Internal to the folder.
//
// In:      a machine after a step, and the thread that took it.
// Out:     the project's statement at which threads stand most often for their next step, with these threads.
// Cost:    a look at one step of 64.
// Owns:    its counts.
// Threads: the thread that uses the machine.
// Fails:   never; steps of threads in which no function of the project runs are counted, and have no place.
#pragma once

#include <map>
#include <set>
#include <string>

#include "server/explore/explore.h"

namespace heddle::explore {

class Busiest {
 public:
  void stepped(const machine::Machine& machine, machine::ThreadId thread) {
    if (++steps_ % kStepsPerLook == 0) look(machine, thread);
  }
  BusiestPlace most() const;  // of 0 steps: nothing was looked at

 private:
  static constexpr uint64_t kStepsPerLook = 64;
  void look(const machine::Machine& machine, machine::ThreadId thread);

  struct Count {
    uint64_t steps = 0;
    std::set<uint32_t> numbers;  // of threads
    detect::SourcePlace place;
    std::set<std::string> threads;
  };
  std::map<uint64_t, Count> counts_;  // by the bits of the address
  uint64_t steps_ = 0, looks_ = 0;
};

}  // namespace heddle::explore
