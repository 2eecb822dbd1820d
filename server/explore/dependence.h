// Which visible operations of two threads are dependent: their order can matter.
//
// In:      two operations.
// Out:     a footprint per operation: a few cells (byte ranges of memory, synchronisation objects, threads, the
//          process), each in one mode. Two operations are dependent if they touch one cell in modes that do not
//          commute.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
// From:    Godefroid 1996 (valid dependence relations); Abdulla, Aronsson, Jonsson, Sagonas 2014.
#pragma once

#include <array>
#include <cstdint>

#include "server/machine/types.h"

namespace heddle::explore {

using machine::Releases;
using machine::TouchMode;

inline bool commute(TouchMode a, TouchMode b) { return a == b && a != TouchMode::Write; }

enum class TouchSpace : uint8_t { Memory, Synchronisation, Thread, Process, Section };

// A byte range in one of the spaces. Synchronisation objects and threads count as one byte at their address.
struct TouchedRange {
  TouchSpace space = TouchSpace::Memory;
  TouchMode mode = TouchMode::Write;
  uint32_t object = 0;
  uint32_t begin = 0, end = 0;
  Releases releases = Releases::Nothing;
  bool waits = false;  // the operation is possible only while the cell allows it
  machine::AtomicSection section = machine::AtomicSection::None;

  bool overlaps(const TouchedRange& other) const {
    return space == other.space && object == other.object && begin < other.end && other.begin < end;
  }
};

struct Footprint {
  std::array<TouchedRange, 6> ranges;
  uint32_t count = 0;
  void add(TouchSpace space, TouchMode mode, uint32_t object, uint32_t begin, uint32_t size,
           Releases releases = Releases::Nothing, bool waits = false) {
    ranges[count++] = {space, mode, object, begin, begin + size, releases, waits, machine::AtomicSection::None};
  }
};

Footprint footprint(const machine::Operation& operation);
bool dependent(const Footprint& a, const Footprint& b);
bool ends_process(const Footprint& touched);
// Of two threads' operations; operations of one thread are always dependent.
bool dependent(const machine::Operation& a, const machine::Operation& b);

}  // namespace heddle::explore
