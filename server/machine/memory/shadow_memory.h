// The shadow of the guest's memory: keeps the cells of shadow.h, undoes and hashes them.
//
// In:      objects, their cells, the epochs of accesses.
// Out:     cells that come back with the path; a hash that follows them once it was asked for.
// Cost:    a cell is saved once per mark; with a hash, two hashes of epochs for each change.
// Owns:    nothing but the hash; cells are blocks, clocks of many readers are Clocks'.
// Threads: the thread that uses the machine.
// Fails:   never.
// From:    FastTrack.
#pragma once

#include <cstdint>

#include "server/machine/happens_before.h"
#include "server/machine/memory/blocks.h"
#include "server/machine/memory/object.h"
#include "server/machine/memory/undo.h"
#include "server/machine/thread_table.h"

namespace heddle::machine {

class ShadowMemory {
 public:
  class Position {  // what a mark keeps
    friend class ShadowMemory;
    uint64_t hash = 0;
    bool hashed = false;  // hash is right and kept so
  };

  ShadowMemory(Undo& undo, Blocks& blocks, Clocks& clocks, const ThreadTable& threads)
      : undo_(undo), blocks_(blocks), clocks_(clocks), threads_(threads) {}
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  void refine(Object& o, uint8_t shift);   // cells for granules of that size
  void split(Object& o, uint32_t offset);  // a granule begins there
  void set(ShadowCell& cell, bool write, uint32_t epoch, uint32_t at, uint64_t begin);  // begin: a pointer
  // Another thread reads a granule that unordered threads have read. `span`: the hash of its bytes.
  void add_reader(const Thread& t, ShadowCell& cell, uint32_t at, uint64_t span, uint32_t object);
  void end(Object& o, uint32_t number);  // the object is gone

  bool hashed() const { return now_.hashed; }
  uint64_t hash() const { return now_.hash; }
  void begin_hash(uint64_t hash) {  // of all cells
    now_.hash = hash;
    now_.hashed = true;
  }
  uint64_t hash_of(uint32_t number, const Object& o) const;

  const Position& position() const { return now_; }
  void rewind(const Position& to) { now_ = to; }

 private:
  uint64_t hash_reads(uint32_t number, uint32_t read_epoch) const;

  Undo& undo_;
  Blocks& blocks_;
  Clocks& clocks_;
  const ThreadTable& threads_;
  Position now_;
};

}  // namespace heddle::machine
