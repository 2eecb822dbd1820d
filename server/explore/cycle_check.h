// Has a path come back to a state? Brent's algorithm: the state is compared with that at the last power of two of
// steps, and hashed only if the pending operations are equal.
//
// In:      a System as in partial_order.h; the length of its path.
// Out:     whether the path is in a cycle, and where the cycle begins.
// Cost:    short paths cost nothing; later a hash of the pending operations for each step.
// Owns:    the newest checkpoint.
// Threads: the thread that uses the System.
// Fails:   never; a cycle may be noticed late.
// From:    Brent 1980.
#pragma once

#include <cstdint>

#include "server/machine/machine.h"

namespace heddle::explore {

class CycleCheck {
 public:
  // Is the state at `depth` that of the checkpoint?
  template <typename System>
  bool returned(System& system, uint32_t depth) {
    if (checkpoint_.depth > depth) checkpoint_ = {};
    if (depth < kCheckpointsFrom) return false;
    const bool due = (depth & (depth - 1)) == 0;
    if (!due && checkpoint_.depth == 0) return false;
    const uint64_t shape = pending_hash(system);
    if (due) {
      checkpoint_ = {depth, shape, system.fingerprint(false)};
      return false;
    }
    return shape == checkpoint_.shape && system.fingerprint(false) == checkpoint_.fingerprint;
  }
  uint32_t begin() const { return checkpoint_.depth; }

 private:
  static constexpr uint32_t kCheckpointsFrom = 128;  // steps: shorter paths cost nothing

  template <typename System>
  static uint64_t pending_hash(System& system) {
    uint64_t hash = 0;
    for (uint32_t thread = 0; thread < system.thread_count(); ++thread) {
      const machine::ThreadId id(thread);
      if (system.status(id) == machine::ThreadStatus::Ended) continue;
      const machine::Operation& operation = system.pending(id);
      for (const uint64_t word : {uint64_t{thread}, uint64_t{operation.at.bits()}, operation.object.bits})
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    }
    return hash;
  }

  struct Checkpoint {
    uint32_t depth = 0;  // 0: none
    uint64_t shape = 0, fingerprint = 0;
  } checkpoint_;
};

}  // namespace heddle::explore
