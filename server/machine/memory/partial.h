// Values of which some bits were never written, and what operations make of them.
//
// In:      an instruction without effects outside its slots, and its operands.
// Out:     its result. Each choice of the unwritten bits is possible, independent of all others.
// Cost:    constant.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never; under-approximates what is unwritten: such bits become unclear.
#pragma once

#include <optional>

#include "server/program/instruction.h"

namespace heddle::machine {

struct Partial {
  uint64_t value = 0;
  uint64_t unwritten = 0;  // bits that were never written; of `value`, they mean nothing
  uint64_t unclear = 0;    // bits that are not followed; likewise
  uint32_t source = 0;     // the last load that unwritten bits come from

  static Partial known(uint64_t value) { return {value, 0, 0, 0}; }
  static Partial nothing_known() { return {0, 0, ~uint64_t{0}, 0}; }
  bool is_known() const { return (unwritten | unclear) == 0; }
};

// None: it is not followed. `b` is a constant in the forms with one; `c` is the slot in `imm`, if there is one.
std::optional<Partial> partial_result(const program::Instruction& i, const Partial& a, const Partial& b,
                                      const Partial& c);

}  // namespace heddle::machine
