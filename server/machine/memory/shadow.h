// The last accesses to an object's memory, for races: per granule an epoch of the last write and one of the last read.
//
// In:      accesses to objects while several threads live.
// Out:     granules: bytes that have seen the same accesses. They have 8 bytes, halved where code uses a part.
// Cost:    an access reads one cell per granule, whatever the object's smallest granule is.
// Owns:    nothing; the cells are blocks of the machine's memory.
// Threads: the thread that uses the machine.
// Fails:   never.
// From:    FastTrack.
#pragma once

#include <cstdint>

namespace heddle::machine {

// Epochs are thread << 24 | event number + 1; 0: never. Cells that no granule begins at are zero.
struct ShadowCell {
  uint32_t write_epoch;
  uint32_t write_at : 30;
  uint32_t halvings : 2;  // of the granule that begins here: it has 8 >> halvings bytes
  uint32_t read_epoch, read_at;
};
static_assert(sizeof(ShadowCell) == 16);
inline constexpr uint32_t kManyReaders = 0xff000000u;  // read_epoch: many; the low bits are a clock id, read_at another

// A cell per 1 << shift bytes, in whole words.
constexpr uint64_t shadow_cells(uint32_t size, uint8_t shift) { return (uint64_t{size} / 8 + 1) << (3 - shift); }

inline ShadowCell& shadow_cell(ShadowCell* cells, uint8_t shift, uint32_t offset) { return cells[offset >> shift]; }

// The first byte of the granule that `offset` is in.
inline uint32_t granule_begin(ShadowCell* cells, uint8_t shift, uint32_t offset) {
  uint32_t begin = offset & ~7u;
  for (uint32_t next = begin; next <= offset; next += 8u >> shadow_cell(cells, shift, next).halvings) begin = next;
  return begin;
}

// Calls visit(cell, begin, end) for the granules with bytes of [from, end), as long as it returns true.
template <typename Visit>
void for_each_granule(ShadowCell* cells, uint8_t shift, uint32_t from, uint64_t end, Visit&& visit) {
  for (uint64_t begin = granule_begin(cells, shift, from); begin < end;) {
    ShadowCell& cell = shadow_cell(cells, shift, static_cast<uint32_t>(begin));
    const uint64_t next = begin + (8u >> cell.halvings);
    if (!visit(cell, static_cast<uint32_t>(begin), static_cast<uint32_t>(next))) return;
    begin = next;
  }
}

}  // namespace heddle::machine
