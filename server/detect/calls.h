// Which calls a step of an interleaving runs in, each recorded once in a table.
//
// In:      a Machine; the call stacks of a thread before and after one scheduling decision; an event of it.
// Out:     the number of the calling frame in the table (from 1; 0: the step is in a function that starts a thread), or
//          nothing where it is not sure: a plain access happens somewhere between the two stacks. The address of a frame.
// Cost:    a walk along both stacks for each event.
// Owns:    which frames are in the table; the table is the caller's.
// Threads: the thread that uses the machine.
// Fails:   never. Calls of library code are left out; of a deep recursion the innermost calls are kept.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "server/detect/finding.h"

namespace heddle::detect {

// The stacks of the thread around what it did: instructions, the innermost first.
struct CallsAround {
  std::vector<machine::CodeAddress> before, after;
};

class CallRecorder {
 public:
  CallRecorder(const machine::Machine& machine, std::vector<CallFrame>& frames) : machine_(machine), frames_(frames) {}
  std::optional<uint32_t> caller_of(const CallsAround& calls, const machine::Event& event, machine::ThreadId thread);
  machine::CodeAddress address_of(uint32_t frame) const { return addresses_[frame - 1]; }  // of one in the table

 private:
  using Stack = std::vector<machine::CodeAddress>;
  std::optional<Stack> callers_in(const Stack& stack, machine::CodeAddress at, bool exactly) const;
  uint32_t number_of(const Stack& callers, machine::ThreadId thread);

  const machine::Machine& machine_;
  std::vector<CallFrame>& frames_;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> known_;  // by address and caller
  std::vector<machine::CodeAddress> addresses_;              // of the frames in the table
};

}  // namespace heddle::detect
