// Where the project had a heap block made or ended that library code made or ended.
//
// In:      numbers of heap objects.
// Out:     the two operations of a block; 0: the library had no part in it, or it is not known.
// Owns:    its table. It is never rewound: entries of blocks that do not exist are stale until their number is used.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "server/machine/memory/object.h"

namespace heddle::machine {

class HeapSites {
 public:
  struct Sites {
    uint32_t made = 0, ended = 0;
  };
  Sites of(uint32_t number) const {
    if (number < first_heap_object(0)) return {};
    const uint32_t owner = owner_of(number), index = number - first_heap_object(owner);
    return owner < by_thread_.size() && index < by_thread_[owner].size() ? by_thread_[owner][index] : Sites{};
  }
  void made(uint32_t number, uint32_t at) { entry(number) = {at, 0}; }
  void made_by_project(uint32_t number) {  // an entry is only there if the library made one with a higher number
    const uint32_t owner = owner_of(number);
    if (number - first_heap_object(owner) < by_thread_[owner].size()) entry(number) = {};
  }
  void ended(uint32_t number, uint32_t at) { entry(number).ended = at; }

 private:
  static uint32_t owner_of(uint32_t number) { return (number >> kChunkBits) / kThreadChunks - 1; }
  Sites& entry(uint32_t number) {
    const uint32_t owner = owner_of(number), index = number - first_heap_object(owner);
    std::vector<Sites>& sites = by_thread_[owner];
    if (index >= sites.size()) sites.resize(std::max<size_t>(index + 1, sites.size() * 2));
    return sites[index];
  }

  std::array<std::vector<Sites>, 256> by_thread_;
};

}  // namespace heddle::machine
