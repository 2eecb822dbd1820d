#include "server/program/operands.h"

namespace heddle::program {
namespace {

using enum OperandRole;

constexpr OpcodeInfo kOpcodes[] = {
#define HEDDLE_OPCODE(Name, mnemonic, dst, a, b, imm) {#Name, mnemonic, dst, a, b, imm},
#include "server/program/opcodes.def"
#undef HEDDLE_OPCODE
};
constexpr uint32_t kOpcodeCount = sizeof(kOpcodes) / sizeof(kOpcodes[0]);

uint32_t slots_of_use(OperandRole role, uint32_t wide) { return role == kUseTwo ? 2 : wide; }

}  // namespace

const OpcodeInfo& opcode_info(Opcode op) {
  static constexpr OpcodeInfo kUnknown{"Unknown", "?", kNo, kNo, kNo, kNo};
  const auto index = static_cast<uint32_t>(op);
  return index < kOpcodeCount ? kOpcodes[index] : kUnknown;
}

uint32_t opcode_count() { return kOpcodeCount; }

bool is_terminator(Opcode op) {
  switch (op) {
    case Opcode::Jump:
    case Opcode::Branch:
    case Opcode::Switch:
    case Opcode::IndirectJump:
    case Opcode::Return:
    case Opcode::Unreachable:
    case Opcode::Resume: return true;
    default: return false;
  }
}

bool ends_block(const Function& function, const Instruction& i) {
  if (is_terminator(i.op)) return true;
  return is_call(i.op) && function.calls[static_cast<size_t>(i.imm)].unwind != kNoUnwind;
}

bool is_call(Opcode op) { return op == Opcode::Call || op == Opcode::CallIndirect; }

SlotRanges uses_of(const Instruction& i) {
  SlotRanges ranges;
  const uint32_t own = slots_of_width(i.width);
  const auto from_imm = static_cast<Slot>(i.imm);
  switch (i.op) {
    case Opcode::FloatBinary:
    case Opcode::FloatCompare:
      ranges.add(i.a, own);
      ranges.add(i.b, own);
      return ranges;
    case Opcode::FloatUnary: ranges.add(i.a, own); return ranges;
    case Opcode::FloatFused:
      ranges.add(i.a, own);
      ranges.add(i.b, own);
      ranges.add(from_imm, own);
      return ranges;
    case Opcode::FloatConvert:
    case Opcode::IntToFloat:
    case Opcode::FloatToInt: ranges.add(i.a, slots_of_width(static_cast<uint32_t>(i.imm))); return ranges;
    case Opcode::Store:
    case Opcode::AtomicStore:
    case Opcode::AtomicUpdate:
      ranges.add(i.a, 1);
      ranges.add(i.b, own);
      return ranges;
    case Opcode::CompareExchange:
      ranges.add(i.a, 1);
      ranges.add(i.b, own);
      ranges.add(from_imm, own);
      return ranges;
    case Opcode::WideBinary: {
      const auto kind = static_cast<WideKind>(i.imm);
      const bool shift = kind == WideKind::Shl || kind == WideKind::LShr || kind == WideKind::AShr;
      ranges.add(i.a, 2);
      ranges.add(i.b, shift ? 1 : 2);
      return ranges;
    }
    case Opcode::Return:
      if (i.b) ranges.add(i.a, i.b);
      return ranges;
    default: break;
  }
  const OpcodeInfo& info = opcode_info(i.op);
  if (info.a == kUse || info.a == kUseTwo) ranges.add(i.a, slots_of_use(info.a, 1));
  if (info.b == kUse || info.b == kUseTwo) ranges.add(i.b, slots_of_use(info.b, 1));
  if (info.imm == kUse) ranges.add(from_imm, 1);
  return ranges;
}

SlotRanges definitions_of(const Function& function, const Instruction& i) {
  SlotRanges ranges;
  const uint32_t own = slots_of_width(i.width);
  switch (i.op) {
    case Opcode::FloatBinary:
    case Opcode::FloatUnary:
    case Opcode::FloatFused:
    case Opcode::FloatConvert:
    case Opcode::IntToFloat:
    case Opcode::FloatToInt:
    case Opcode::Load:
    case Opcode::AtomicLoad:
    case Opcode::AtomicUpdate: ranges.add(i.dst, own); return ranges;
    case Opcode::CompareExchange: ranges.add(i.dst, own + 1); return ranges;
    case Opcode::Call:
    case Opcode::CallIndirect: {
      const uint32_t results = function.calls[static_cast<size_t>(i.imm)].result_slots;
      if (results) ranges.add(i.dst, results);
      return ranges;
    }
    case Opcode::Unsupported:
      if (i.width) ranges.add(i.dst, i.width);
      return ranges;
    default: break;
  }
  const OpcodeInfo& info = opcode_info(i.op);
  if (info.dst == kDef) ranges.add(i.dst, 1);
  if (info.dst == kDefTwo) ranges.add(i.dst, 2);
  return ranges;
}

}  // namespace heddle::program
