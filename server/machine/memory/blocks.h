// Memory that the guest takes and gives back: blocks by size class, whose contents come back with the path.
//
// In:      sizes in bytes; blocks that it gave before.
// Out:     blocks that are 16-byte aligned, and saved for the mark if they were used before: see BlockHeader.
// Cost:    a block that was given back at an earlier mark is saved whole when it is taken again.
// Owns:    the lists of free blocks; the memory is the path's (Undo).
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <array>
#include <cstdint>

#include "server/machine/memory/object.h"
#include "server/machine/memory/undo.h"

namespace heddle::machine {

class Blocks {
 public:
  explicit Blocks(Undo& undo) : undo_(undo) {}
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  uint8_t* take(uint64_t bytes);       // contents unspecified
  uint8_t* take_zero(uint64_t bytes);  // zeros; a multiple of 8
  void give(uint8_t* block);

 private:
  struct FreeList {
    uint32_t saved_mark, reserved;
    uint64_t head;
  };
  Undo& undo_;
  std::array<FreeList, 64> free_{};  // by size class
};

}  // namespace heddle::machine
