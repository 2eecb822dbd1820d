// Lists the slots that an instruction reads and writes, and the places it may continue at.
//
// In:      a function and one of its instructions; its indices into the function's pools are in range (see verify()).
// Out:     calls of a visitor with (first slot, number of slots), or with a code index.
// Owns:    nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include "server/program/unit.h"

namespace heddle::program {

// Bit of Instruction::flags of Sub: both operands are pointers, so the result is not a pointer.
inline constexpr uint8_t kPointerDifference = 1;

// Values of 80 and 128 bits take two slots.
constexpr uint32_t slots_of_width(uint32_t width) { return width > 64 ? 2 : 1; }

bool is_terminator(Opcode op);
bool is_call(Opcode op);
// True for a terminator, and for a call with a landing pad: control continues at the next index or at the pad.
bool ends_block(const Function& function, const Instruction& instruction);

struct SlotRanges {  // at most three ranges; arguments of calls come from the call site
  struct {
    Slot first;
    uint32_t count;
  } items[3];
  uint32_t size = 0;
  void add(Slot first, uint32_t count) { items[size++] = {first, count}; }
};
SlotRanges uses_of(const Instruction& instruction);  // without call arguments
SlotRanges definitions_of(const Function& function, const Instruction& instruction);

template <typename Visit>
void for_each_use(const Function& function, const Instruction& instruction, Visit&& visit) {
  const SlotRanges ranges = uses_of(instruction);
  for (uint32_t n = 0; n < ranges.size; ++n) visit(ranges.items[n].first, ranges.items[n].count);
  if (!is_call(instruction.op)) return;
  for (const Argument& argument : function.calls[static_cast<size_t>(instruction.imm)].arguments)
    visit(argument.slot, uint32_t{argument.slots});
}

template <typename Visit>
void for_each_definition(const Function& function, const Instruction& instruction, Visit&& visit) {
  const SlotRanges ranges = definitions_of(function, instruction);
  for (uint32_t n = 0; n < ranges.size; ++n) visit(ranges.items[n].first, ranges.items[n].count);
}

// Code indices that may follow a terminator, and landing pads of calls. Every other instruction also continues at the
// next index, which is not visited.
template <typename Visit>
void for_each_target(const Function& function, const Instruction& instruction, Visit&& visit) {
  switch (instruction.op) {
    case Opcode::Jump: visit(instruction.dst); break;
    case Opcode::Branch:
      visit(instruction.dst);
      visit(instruction.b);
      break;
    case Opcode::Switch: visit(function.switches[instruction.b].default_target); [[fallthrough]];
    case Opcode::IndirectJump:
      for (uint32_t target : function.switches[instruction.b].targets) visit(target);
      break;
    case Opcode::Call:
    case Opcode::CallIndirect:
      if (const uint32_t unwind = function.calls[static_cast<size_t>(instruction.imm)].unwind; unwind != kNoUnwind)
        visit(unwind);
      break;
    default: break;
  }
}

}  // namespace heddle::program
