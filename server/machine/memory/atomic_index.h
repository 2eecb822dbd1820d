// The atomic locations of a machine: by address, and those that overlap a range of bytes.
//
// In:      the address of each new one; the end of memory.
// Out:     locations; null where there is none, or none that the path still has.
// Owns:    their table; a filter of addresses, which only grows; the location that was found last. The locations are the
//          path's memory.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "server/machine/memory/address_map.h"
#include "server/machine/numbering.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {

class AtomicIndex {
 public:
  using Position = AddressMap<AtomicLocation>::Position;

  explicit AtomicIndex(Undo& undo) : locations_(undo), undo_(undo) {}

  // A step asks for its location several times.
  AtomicLocation* find_any(Pointer at) const {  // of size 0, too: it was made, and its memory is gone
    return known_.address == at.bits ? known_.location : look_up(at);
  }
  AtomicLocation* find(Pointer at) const {
    AtomicLocation* const found = find_any(at);
    return found != nullptr && found->size != 0 ? found : nullptr;
  }
  std::span<AtomicLocation* const> all() const { return locations_.all(); }  // of size 0, too
  // Calls visit(location) for those that may overlap [pointer, pointer + size), by address, as long as it returns true.
  template <typename Visit>
  void for_each(uint64_t pointer, uint64_t size, Visit&& visit) const {
    const uint64_t first = pointer - std::min<uint32_t>(static_cast<uint32_t>(pointer), kAtomicMost - 1);
    for (uint64_t line = first / 16; line <= (pointer + size - 1) / 16; ++line) {
      for (uint32_t known = filter_.line(line); known != 0; known &= known - 1) {
        const uint64_t address = line * 16 + static_cast<uint32_t>(__builtin_ctz(known));
        if (address < first || address >= pointer + size) continue;
        if (const AtomicLocation* l = find({address}); l != nullptr && !visit(*l)) return;
      }
    }
  }
  AtomicLocation& add(Pointer at) {  // of size 0
    filter_.add(at.bits);
    return locations_.add(at.bits);
  }
  void forget(uint32_t object) {  // the memory is gone
    for (AtomicLocation* const l : all()) {
      if (l->address >> 32 != object || l->size == 0) continue;
      undo_.touch(*l);
      l->size = 0;
      l->release_clock = 0;
      l->time = 0;
    }
  }

  const Position& position() const { return locations_.position(); }
  void rewind(const Position& to) {
    locations_.rewind(to);
    known_ = {};
  }

 private:
  AtomicLocation* look_up(Pointer at) const {
    AtomicLocation* const found = locations_.find(at.bits);
    if (found != nullptr) known_ = {at.bits, found};
    return found;
  }

  struct Known {
    uint64_t address = ~uint64_t{0};  // none
    AtomicLocation* location = nullptr;
  };
  AddressMap<AtomicLocation> locations_;
  Undo& undo_;
  mutable Known known_;  // the location that was looked up last, until the next rewind
  AddressFilter<uint16_t> filter_;
};

}  // namespace heddle::machine
