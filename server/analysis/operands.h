// Which slots an instruction reads and writes, and where control goes after it.
//
// In:      an instruction and the function whose pools it refers to.
// Out:     callbacks per slot, in operand order; calls list every argument slot, returns every returned slot.
// Cost:    constant per operand. Owns: nothing. Threads: pure.
// Fails:   never. Values wider than a slot are listed slot by slot.
#pragma once

#include "server/program/program.h"

namespace heddle::analysis {

using program::Function;
using program::Instruction;
using program::Opcode;
using program::OperandRole;
using program::Slot;

inline bool is_call(const Instruction& i) { return i.op == Opcode::Call || i.op == Opcode::CallIndirect; }

// Operand `a` is an address, which is one slot whatever the width of the value behind it.
inline bool has_address(Opcode op) {
  switch (op) {
    case Opcode::Load: case Opcode::Store: case Opcode::MemoryCopy: case Opcode::MemorySet: case Opcode::AtomicLoad:
    case Opcode::AtomicStore: case Opcode::AtomicUpdate: case Opcode::CompareExchange:
      return true;
    default: return false;
  }
}

inline uint32_t defined_slots(const Function& function, const Instruction& i) {
  if (is_call(i)) return function.calls[static_cast<size_t>(i.imm)].result_slots;
  switch (program::opcode_info(i.op).dst) {
    case OperandRole::kDef: return i.width > 64 ? 2 : 1;
    case OperandRole::kDefTwo:
      return i.op == Opcode::CompareExchange && i.width > 64 ? 3 : i.op == Opcode::Overflow && i.width > 64 ? 3 : 2;
    default: return 0;
  }
}

template <typename Use>
void for_each_use(const Function& function, const Instruction& i, Use use) {
  if (i.op == Opcode::Return) {
    for (uint32_t k = 0; k < i.b; ++k) use(i.a + k);
    return;
  }
  if (is_call(i)) {
    if (i.op == Opcode::CallIndirect) use(i.a);
    for (const program::Argument& argument : function.calls[static_cast<size_t>(i.imm)].arguments)
      for (uint32_t k = 0; k < argument.slots; ++k) use(argument.slot + k);
    return;
  }
  const program::OpcodeInfo& info = program::opcode_info(i.op);
  const uint32_t extra = i.width > 64 ? 1 : 0;
  auto operand = [&](OperandRole role, Slot slot, bool address) {
    if (role == OperandRole::kUse)
      for (uint32_t k = 0; k <= (address ? 0 : extra); ++k) use(slot + k);
    if (role == OperandRole::kUseTwo) use(slot), use(slot + 1);
  };
  operand(info.a, i.a, has_address(i.op));
  operand(info.b, i.b, i.op == Opcode::MemoryCopy);
  operand(info.imm, static_cast<Slot>(i.imm), i.op == Opcode::MemoryCopy || i.op == Opcode::MemorySet);
}

// Targets of the instruction other than the next one.
template <typename Target>
void for_each_target(const Function& function, const Instruction& i, Target target) {
  switch (i.op) {
    case Opcode::Jump: target(i.dst); break;
    case Opcode::Branch: target(i.dst), target(i.b); break;
    case Opcode::Switch:
    case Opcode::IndirectJump: {
      const program::SwitchTable& table = function.switches[i.b];
      for (uint32_t t : table.targets) target(t);
      if (i.op == Opcode::Switch) target(table.default_target);
      break;
    }
    default: break;
  }
}

inline bool ends_block(const Instruction& i) {
  switch (i.op) {
    case Opcode::Jump: case Opcode::Branch: case Opcode::Switch: case Opcode::IndirectJump: case Opcode::Return:
    case Opcode::Unreachable: case Opcode::Trap: case Opcode::Unsupported:
      return true;
    default: return false;
  }
}

inline bool is_conditional(Opcode op) {
  return op == Opcode::Branch || op == Opcode::Switch || op == Opcode::IndirectJump;
}

}  // namespace heddle::analysis
