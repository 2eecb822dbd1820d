// Programs that keep something in the upper 16 bits of pointers, as user processes on x86-64 can. Addresses of the machine
// need all 64 bits, so such a pointer would lead elsewhere: the path ends there, as a limit.
//
// In:      an instruction.
// Out:     whether it parts these bits from the others: a mask of 48 bits, a shift to the left by 16 or to the right by
//          48. Such an instruction is executed out of line (State::execute_value), where its operand is looked at.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include "server/program/instruction.h"

namespace heddle::machine {

inline constexpr uint64_t kLower48Bits = 0xffff'ffff'ffff;

inline bool parts_pointers(const program::Instruction& i) {
  if (i.width != 64) return false;
  if (i.op == program::Opcode::AndI) return static_cast<uint64_t>(i.imm) == kLower48Bits;
  return (i.op == program::Opcode::ShlI && i.imm == 16) || (i.op == program::Opcode::LShrI && i.imm == 48);
}

}  // namespace heddle::machine
