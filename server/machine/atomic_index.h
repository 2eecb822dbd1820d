// Finds the atomic locations of a machine by address, and those that overlap a range of bytes.
//
// In:      the root that holds the table of locations; the address of each new one.
// Out:     locations; null where there is none, or none that the path still has.
// Owns:    a filter of addresses, which only grows, and the location that was found last. The locations are in the
//          machine's arena.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <algorithm>
#include <cstdint>

#include "server/machine/numbering.h"
#include "server/machine/root.h"

namespace heddle::machine {

class AtomicIndex {
 public:
  explicit AtomicIndex(const Root& root) : root_(root) {}

  // A step asks for its location several times.
  AtomicLocation* find_any(Pointer at) const {  // of size 0, too: it was made, and taken back
    return known_.address == at.bits ? known_.location : look_up(at);
  }
  AtomicLocation* find(Pointer at) const {
    AtomicLocation* const found = find_any(at);
    return found != nullptr && found->size != 0 ? found : nullptr;
  }
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
  void add(Pointer at) { filter_.add(at.bits); }
  void rewound() { known_ = {}; }

 private:
  AtomicLocation* look_up(Pointer at) const {
    const int64_t index = machine::look_up(root_.atomic_table, at.bits);
    if (index < 0) return nullptr;
    known_ = {at.bits, root_.atomic_locations[index]};
    return known_.location;
  }

  struct Known {
    uint64_t address = ~uint64_t{0};  // none
    AtomicLocation* location = nullptr;
  };
  const Root& root_;
  mutable Known known_;  // the location that was looked up last, until the next rewind
  AddressFilter<uint16_t> filter_;
};

}  // namespace heddle::machine
