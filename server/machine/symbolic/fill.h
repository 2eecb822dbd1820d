// Memory that a function fills which nothing defines, as the settings say: its bytes become unknown.
//
// In:      a machine and a thread that stands at a call of such a function.
// Out:     an input for each number that the memory has by its type, for each byte where no type is known. Pointers
//          become null; bytes that belong to no field become 0.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   false: a fault was raised. The memory is not there, or there is more of it than kFilledMost, which is a limit.
#pragma once

#include <vector>

#include "server/machine/state.h"

namespace heddle::machine {

struct FilledRange {
  Pointer at;
  uint64_t size = 0;
  uint32_t unit = 1;      // bytes of an element, where no type is known
  uint32_t argument = 0;  // from 0
};
// By the arguments of the call; before its result takes a slot, which may be that of an argument.
std::vector<FilledRange> ranges_to_fill(const Machine::State& s, const Thread& t);
bool fill_memory(Machine::State& s, Thread& t, const std::vector<FilledRange>& ranges);

}  // namespace heddle::machine
