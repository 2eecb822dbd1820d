// Defines the instruction format of Heddle's own register code, independent of LLVM.
//
// In:      nothing.
// Out:     Opcode, Instruction (24 bytes) and the operand table that says which fields are slots. A slot is one 64-bit
//          register of a frame; widths are in bits, offsets in bytes.
// Owns:    nothing; plain values and a constant table.
// Threads: values; the table is constant.
// Fails:   never; an unknown opcode has a row named "Unknown" without operands.
// From:    Lua's lopcodes.h (the operand table).
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::program {

using Slot = uint32_t;

enum class Opcode : uint16_t {
#define HEDDLE_OPCODE(Name, mnemonic, dst, a, b, imm) Name,
#include "server/program/opcodes.def"
#undef HEDDLE_OPCODE
};

// C and C++ memory orders; NotAtomic for everything else. Consume is treated as Acquire.
enum class MemoryOrder : uint8_t { NotAtomic, Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent };

enum class UnaryKind : uint8_t { PopulationCount, LeadingZeros, TrailingZeros, ByteSwap, BitReverse, Absolute };
enum class MinMaxKind : uint8_t { SMin, SMax, UMin, UMax };
enum class OverflowKind : uint8_t { SAdd, UAdd, SSub, USub, SMul, UMul, SShl, UShl };
enum class WideKind : uint8_t { Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor };
enum class CompareKind : uint8_t { Eq, Ne, ULt, ULe, UGt, UGe, SLt, SLe, SGt, SGe };
enum class FloatKind : uint8_t { Add, Sub, Mul, Div, Rem, Minimum, Maximum, CopySign, Power };
enum class FloatUnaryKind : uint8_t {
  Negate,
  Absolute,
  SquareRoot,
  Floor,
  Ceiling,
  Truncate,
  Round,
  RoundEven,
  Rint,
  NearbyInt,
  Sine,
  Cosine,
  Exp,
  Exp2,
  Log,
  Log2,
  Log10
};
enum class UpdateKind : uint8_t {
  Exchange,
  Add,
  Sub,
  And,
  Nand,
  Or,
  Xor,
  SMax,
  SMin,
  UMax,
  UMin,
  FAdd,
  FSub,
  FMax,
  FMin,
  UIncWrap,
  UDecWrap
};

// Bits of Instruction::flags for plain memory instructions.
inline constexpr uint8_t kVolatile = 1;
inline constexpr uint8_t kMayOverlap = 2;
// On Load and Store: what is moved, by the language's types. None of these bits: anything.
inline constexpr uint8_t kMoves = 12;        // the bits
inline constexpr uint8_t kVirtualTable = 4;  // an object's pointer to its virtual table
inline constexpr uint8_t kPointer = 8;       // another pointer
inline constexpr uint8_t kNumber = 12;

struct Instruction {
  Opcode op = Opcode::Unreachable;
  uint8_t width = 0;  // bits
  uint8_t flags = 0;
  uint32_t dst = 0;
  uint32_t a = 0;
  uint32_t b = 0;
  int64_t imm = 0;

  bool operator==(const Instruction&) const = default;
};
static_assert(sizeof(Instruction) == 24);

// Instruction::flags of atomics and fences: order in bits 0..2, failure order (CompareExchange) in bits 3..5.
inline constexpr uint8_t kAtomicWeak = 64;
inline constexpr uint8_t kAtomicVolatile = 128;
inline constexpr uint8_t kSignalFence = 64;  // on Fence: orders a thread with its own signal handler only

constexpr uint8_t atomic_flags(MemoryOrder order, MemoryOrder failure = MemoryOrder::NotAtomic, uint8_t bits = 0) {
  return static_cast<uint8_t>(static_cast<uint8_t>(order) | static_cast<uint8_t>(failure) << 3 | bits);
}
constexpr MemoryOrder order_of(const Instruction& i) { return static_cast<MemoryOrder>(i.flags & 7); }
constexpr MemoryOrder failure_order_of(const Instruction& i) { return static_cast<MemoryOrder>((i.flags >> 3) & 7); }

enum class OperandRole : uint8_t { kNo, kDef, kDefTwo, kUse, kUseTwo, kTarget, kSymbol, kIndex, kCount, kNumber };

struct OpcodeInfo {
  std::string_view name;
  std::string_view mnemonic;
  OperandRole dst, a, b, imm;
};
const OpcodeInfo& opcode_info(Opcode op);
uint32_t opcode_count();

}  // namespace heddle::program
