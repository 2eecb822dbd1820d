// How often an operation had no conflict with a later step of another thread. A search tries such an operation first:
// its thread is likely to be a persistent set.
//
// In:      operations, distinguished by place, object and thread; what the search found out about each.
// Out:     the share of times without a conflict, between 0 and 1.
// Owns:    two counters per operation.
// Threads: the thread that searches.
// Fails:   never.
#pragma once

#include <cstdint>
#include <vector>

#include "server/explore/interned.h"
#include "server/machine/machine.h"

namespace heddle::explore {

class SingletonEstimate {
 public:
  uint32_t number(const machine::Operation& operation) {
    return operations_.number((operation.at.bits() * 31 + operation.object.bits) * 131 + operation.thread.value);
  }
  void record(uint32_t operation, bool conflict) {
    if (tallies_.size() < operations_.size()) tallies_.resize(operations_.size());
    tallies_[operation].singleton += !conflict;
    ++tallies_[operation].times;
  }
  double share(uint32_t operation) const {
    const Tally tally = operation < tallies_.size() ? tallies_[operation] : Tally{};
    return (tally.singleton + 1.0) / (tally.times + 2.0);
  }

 private:
  struct Tally {
    uint32_t singleton = 0, times = 0;
  };
  Interned<uint64_t> operations_;
  std::vector<Tally> tallies_;
};

}  // namespace heddle::explore
