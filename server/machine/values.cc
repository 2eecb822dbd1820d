// The rarer value operations: integer intrinsics, 128-bit integers, all of floating point beyond + - * /.
#include <cfenv>
#include <cmath>
#include <limits>

#include "server/machine/interpreter.h"
#include "server/machine/memory/packed_pointer.h"

namespace heddle::machine {

using program::CompareKind;
using program::FloatKind;
using program::FloatUnaryKind;
using program::Instruction;
using program::MinMaxKind;
using program::Opcode;
using program::OverflowKind;
using program::UnaryKind;
using program::WideKind;

namespace {

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;

uint64_t reverse_bits(uint64_t value, uint32_t width) {
  uint64_t result = 0;
  for (uint32_t n = 0; n < width; ++n) result |= (value >> n & 1) << (width - 1 - n);
  return result;
}

uint64_t unary(UnaryKind kind, uint64_t a, uint32_t width) {
  switch (kind) {
    case UnaryKind::PopulationCount: return static_cast<uint64_t>(__builtin_popcountll(a));
    case UnaryKind::LeadingZeros: return a == 0 ? width : static_cast<uint64_t>(__builtin_clzll(a)) - (64 - width);
    case UnaryKind::TrailingZeros: return a == 0 ? width : static_cast<uint64_t>(__builtin_ctzll(a));
    case UnaryKind::ByteSwap: return __builtin_bswap64(a) >> (64 - width);
    case UnaryKind::BitReverse: return reverse_bits(a, width);
    case UnaryKind::Absolute: return (signed_of(a, width) < 0 ? 0 - a : a) & width_mask(width);
  }
  return 0;
}

uint64_t min_max(MinMaxKind kind, uint64_t a, uint64_t b, uint32_t width) {
  const int64_t x = signed_of(a, width), y = signed_of(b, width);
  switch (kind) {
    case MinMaxKind::SMin: return x < y ? a : b;
    case MinMaxKind::SMax: return x > y ? a : b;
    case MinMaxKind::UMin: return a < b ? a : b;
    case MinMaxKind::UMax: return a > b ? a : b;
  }
  return 0;
}

// The exact result, and whether it fits.
struct Exact {
  Signed128 value = 0;
  bool is_signed = false;
  bool overflow = false;
};

Exact exact(OverflowKind kind, uint64_t a, uint64_t b, uint32_t width) {
  const Signed128 x = signed_of(a, width), y = signed_of(b, width);
  const Signed128 low = -(Signed128{1} << (width - 1)), high = (Signed128{1} << (width - 1)) - 1;
  const Signed128 top = static_cast<Signed128>(width_mask(width));
  Exact r;
  switch (kind) {
    case OverflowKind::SAdd: r = {x + y, true, false}; break;
    case OverflowKind::SSub: r = {x - y, true, false}; break;
    case OverflowKind::SMul: r = {x * y, true, false}; break;
    case OverflowKind::SShl:
      r = {b >= width ? (x == 0 ? 0 : x < 0 ? low - 1 : high + 1) : x * (Signed128{1} << b), true, false};
      break;
    case OverflowKind::UAdd: r = {Signed128{a} + b, false, false}; break;
    case OverflowKind::USub: r = {Signed128{a} - b, false, false}; break;
    case OverflowKind::UMul: {
      const Unsigned128 product = static_cast<Unsigned128>(a) * b;
      if (product > static_cast<Unsigned128>(top))
        return {static_cast<Signed128>(static_cast<uint64_t>(product)), false, true};
      return {static_cast<Signed128>(product), false, false};
    }
    case OverflowKind::UShl: {
      const bool lost = b >= width ? a != 0 : (a << b & width_mask(width)) >> b != a;
      return {static_cast<Signed128>(b >= width ? 0 : a << b), false, lost};
    }
  }
  r.overflow = r.is_signed ? r.value < low || r.value > high : r.value < 0 || r.value > top;
  return r;
}

uint64_t saturating(OverflowKind kind, uint64_t a, uint64_t b, uint32_t width) {
  const Exact r = exact(kind, a, b, width);
  const uint64_t mask = width_mask(width), top_bit = uint64_t{1} << (width - 1);
  if (!r.overflow) return static_cast<uint64_t>(r.value) & mask;
  if (r.is_signed) return r.value < 0 ? top_bit : top_bit - 1;
  return kind == OverflowKind::USub ? 0 : mask;
}

uint64_t funnel_shift(uint64_t high, uint64_t low, uint64_t amount, uint32_t width, bool right) {
  const uint64_t by = amount % width, mask = width_mask(width);
  if (by == 0) return right ? low : high;
  return right ? (low >> by | high << (width - by)) & mask : (high << by | low >> (width - by)) & mask;
}

Unsigned128 wide_at(const uint64_t* slots) { return static_cast<Unsigned128>(slots[1]) << 64 | slots[0]; }
void set_wide(uint64_t* slots, Unsigned128 value) {
  slots[0] = static_cast<uint64_t>(value);
  slots[1] = static_cast<uint64_t>(value >> 64);
}

bool wide_binary(WideKind kind, Unsigned128 a, Unsigned128 b, Unsigned128& result) {
  const Signed128 x = static_cast<Signed128>(a), y = static_cast<Signed128>(b);
  const uint32_t shift = static_cast<uint32_t>(b) & 127;
  const bool divides =
      kind == WideKind::UDiv || kind == WideKind::SDiv || kind == WideKind::URem || kind == WideKind::SRem;
  if (divides && b == 0) return false;
  switch (kind) {
    case WideKind::Add: result = a + b; break;
    case WideKind::Sub: result = a - b; break;
    case WideKind::Mul: result = a * b; break;
    case WideKind::UDiv: result = a / b; break;
    case WideKind::URem: result = a % b; break;
    case WideKind::SDiv: result = y == -1 ? 0 - a : static_cast<Unsigned128>(x / y); break;
    case WideKind::SRem: result = y == -1 ? 0 : static_cast<Unsigned128>(x % y); break;
    case WideKind::Shl: result = a << shift; break;
    case WideKind::LShr: result = a >> shift; break;
    case WideKind::AShr: result = static_cast<Unsigned128>(x >> shift); break;
    case WideKind::And: result = a & b; break;
    case WideKind::Or: result = a | b; break;
    case WideKind::Xor: result = a ^ b; break;
  }
  return true;
}

bool wide_compare(CompareKind kind, Unsigned128 a, Unsigned128 b) {
  const Signed128 x = static_cast<Signed128>(a), y = static_cast<Signed128>(b);
  switch (kind) {
    case CompareKind::Eq: return a == b;
    case CompareKind::Ne: return a != b;
    case CompareKind::ULt: return a < b;
    case CompareKind::ULe: return a <= b;
    case CompareKind::UGt: return a > b;
    case CompareKind::UGe: return a >= b;
    case CompareKind::SLt: return x < y;
    case CompareKind::SLe: return x <= y;
    case CompareKind::SGt: return x > y;
    case CompareKind::SGe: return x >= y;
  }
  return false;
}

template <typename T>
T load_float(const uint64_t* slot) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(float, static_cast<uint32_t>(*slot));
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(double, *slot);
  else {
    T value{};
    std::memcpy(&value, slot, 10);
    return value;
  }
}
template <typename T>
void store_float(uint64_t* slot, T value) {
  if constexpr (sizeof(T) == 4)
    *slot = __builtin_bit_cast(uint32_t, value);
  else if constexpr (sizeof(T) == 8)
    *slot = __builtin_bit_cast(uint64_t, value);
  else {
    slot[0] = slot[1] = 0;
    std::memcpy(slot, &value, 10);
  }
}

// Calls `visit` with a value of the C++ type of that width.
template <typename Visit>
auto with_float(uint32_t width, Visit&& visit) {
  if (width == 32) return visit(float{});
  if (width == 64) return visit(double{});
  return visit(static_cast<long double>(0));
}

template <typename T>
T float_binary(FloatKind kind, T a, T b) {
  switch (kind) {
    case FloatKind::Add: return a + b;
    case FloatKind::Sub: return a - b;
    case FloatKind::Mul: return a * b;
    case FloatKind::Div: return a / b;
    case FloatKind::Rem: return std::fmod(a, b);
    case FloatKind::Minimum: return std::fmin(a, b);
    case FloatKind::Maximum: return std::fmax(a, b);
    case FloatKind::CopySign: return std::copysign(a, b);
    case FloatKind::Power: return std::pow(a, b);
  }
  return a;
}

template <typename T>
T float_unary(FloatUnaryKind kind, T a) {
  switch (kind) {
    case FloatUnaryKind::Negate: return -a;
    case FloatUnaryKind::Absolute: return std::fabs(a);
    case FloatUnaryKind::SquareRoot: return std::sqrt(a);
    case FloatUnaryKind::Floor: return std::floor(a);
    case FloatUnaryKind::Ceiling: return std::ceil(a);
    case FloatUnaryKind::Truncate: return std::trunc(a);
    case FloatUnaryKind::Round: return std::round(a);
    case FloatUnaryKind::RoundEven: return std::nearbyint(a);
    case FloatUnaryKind::Rint: return std::rint(a);
    case FloatUnaryKind::NearbyInt: return std::nearbyint(a);
    case FloatUnaryKind::Sine: return std::sin(a);
    case FloatUnaryKind::Cosine: return std::cos(a);
    case FloatUnaryKind::Exp: return std::exp(a);
    case FloatUnaryKind::Exp2: return std::exp2(a);
    case FloatUnaryKind::Log: return std::log(a);
    case FloatUnaryKind::Log2: return std::log2(a);
    case FloatUnaryKind::Log10: return std::log10(a);
  }
  return a;
}

// LLVM's predicate numbers: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered.
template <typename T>
bool float_compare(uint32_t predicate, T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return predicate & 8;
  if (a == b) return predicate & 1;
  return a > b ? predicate & 2 : predicate & 4;
}

template <typename T>
uint64_t float_to_int(T value, uint32_t width, bool is_signed) {
  // Out of range is undefined in C; x86 gives the smallest integer, and so do we.
  if (std::isnan(value)) return (uint64_t{1} << (width - 1));
  if (is_signed) {
    if (value >= -static_cast<T>(9223372036854775808.0L) && value < static_cast<T>(9223372036854775808.0L))
      return static_cast<uint64_t>(static_cast<int64_t>(value)) & width_mask(width);
    return (uint64_t{1} << (width - 1));
  }
  if (value > -1 && value < static_cast<T>(18446744073709551616.0L))
    return static_cast<uint64_t>(value) & width_mask(width);
  if (value < 0 && value > -static_cast<T>(9223372036854775808.0L))
    return static_cast<uint64_t>(static_cast<int64_t>(value)) & width_mask(width);
  return width_mask(width);
}

void execute_float(const Instruction& i, uint64_t* r) {
  const uint32_t kind = static_cast<uint32_t>(i.imm);
  switch (i.op) {
    case Opcode::FloatBinary:
      with_float(i.width, [&]<typename T>(T) {
        store_float<T>(r + i.dst,
                       float_binary<T>(static_cast<FloatKind>(kind), load_float<T>(r + i.a), load_float<T>(r + i.b)));
      });
      break;
    case Opcode::FloatUnary:
      with_float(i.width, [&]<typename T>(T) {
        store_float<T>(r + i.dst, float_unary<T>(static_cast<FloatUnaryKind>(kind), load_float<T>(r + i.a)));
      });
      break;
    case Opcode::FloatFused:
      with_float(i.width, [&]<typename T>(T) {
        store_float<T>(r + i.dst, std::fma(load_float<T>(r + i.a), load_float<T>(r + i.b), load_float<T>(r + i.imm)));
      });
      break;
    case Opcode::FloatCompare:
      with_float(i.width, [&]<typename T>(T) {
        r[i.dst] = float_compare<T>(kind, load_float<T>(r + i.a), load_float<T>(r + i.b));
      });
      break;
    case Opcode::FloatConvert:
      with_float(kind, [&]<typename From>(From) {
        const From value = load_float<From>(r + i.a);
        with_float(i.width, [&]<typename To>(To) { store_float<To>(r + i.dst, static_cast<To>(value)); });
      });
      break;
    case Opcode::IntToFloat:
      with_float(i.width, [&]<typename T>(T) {
        if (kind > 64)
          store_float<T>(r + i.dst, (i.flags & 1) ? static_cast<T>(static_cast<Signed128>(wide_at(r + i.a)))
                                                  : static_cast<T>(wide_at(r + i.a)));
        else if (i.flags & 1)
          store_float<T>(r + i.dst, static_cast<T>(signed_of(r[i.a], kind)));
        else
          store_float<T>(r + i.dst, static_cast<T>(r[i.a] & width_mask(kind)));
      });
      break;
    case Opcode::FloatToInt:
      with_float(kind, [&]<typename T>(T) {
        const T value = load_float<T>(r + i.a);
        if (i.width > 64)
          set_wide(r + i.dst, (i.flags & 1) ? static_cast<Unsigned128>(static_cast<Signed128>(value))
                                            : static_cast<Unsigned128>(value));
        else
          r[i.dst] = float_to_int<T>(value, i.width, i.flags & 1);
      });
      break;
    default: HEDDLE_CHECK(false, "every opcode has a handler");
  }
}

}  // namespace

// A mask or shift that parts the upper 16 bits of its operand, which may be a pointer.
bool Machine::State::part_pointer(Thread& t, const Instruction& i, uint64_t* r) {
  const uint64_t value = r[i.a];
  const Object& o = *memory_.find(value);
  if (value > kLower48Bits && o.data != nullptr && Pointer{value}.offset() <= o.size)
    return fault(t, FaultKind::Unsupported,
                 "the upper 16 bits of a pointer, which this program uses: addresses here need them");
  r[i.dst] = i.op == Opcode::AndI ? value & kLower48Bits : i.op == Opcode::ShlI ? value << 16 : value >> 48;
  return true;
}

bool Machine::State::execute_value(Thread& t, const Decoded& d, uint64_t* r, uint32_t pc) {
  const CodeAddress at = image_->address(pc);
  const Instruction& i = image_->program->instruction(at);
  switch (i.op) {
    case Opcode::Unary: r[i.dst] = unary(static_cast<UnaryKind>(i.imm), r[i.a], i.width); return true;
    case Opcode::MinMax: r[i.dst] = min_max(static_cast<MinMaxKind>(i.imm), r[i.a], r[i.b], i.width); return true;
    case Opcode::Saturating:
      r[i.dst] = saturating(static_cast<OverflowKind>(i.imm), r[i.a], r[i.b], i.width);
      return true;
    case Opcode::Overflow: {
      const Exact result = exact(static_cast<OverflowKind>(i.imm), r[i.a], r[i.b], i.width);
      r[i.dst] = static_cast<uint64_t>(result.value) & width_mask(i.width);
      r[i.dst + 1] = result.overflow;
      return true;
    }
    case Opcode::FunnelShift: r[i.dst] = funnel_shift(r[i.a], r[i.b], r[i.imm], i.width, i.flags & 1); return true;
    case Opcode::WideBinary: {
      Unsigned128 result = 0;
      const auto kind = static_cast<WideKind>(i.imm);
      const bool shifts = kind == WideKind::Shl || kind == WideKind::LShr || kind == WideKind::AShr;
      const Unsigned128 b = shifts ? static_cast<Unsigned128>(r[i.b]) : wide_at(r + i.b);
      if (!wide_binary(kind, wide_at(r + i.a), b, result))
        return fault(t, FaultKind::DivisionByZero, "divides by zero");
      set_wide(r + i.dst, result);
      return true;
    }
    case Opcode::WideCompare:
      r[i.dst] = wide_compare(static_cast<CompareKind>(i.imm), wide_at(r + i.a), wide_at(r + i.b));
      return true;
    case Opcode::WideExtend: {
      const uint64_t value = r[i.a];
      const bool negative = i.imm == 1 && signed_of(value, i.width) < 0;
      r[i.dst] = i.imm == 1 ? static_cast<uint64_t>(signed_of(value, i.width)) : value;
      r[i.dst + 1] = negative ? ~uint64_t{0} : 0;
      return true;
    }
    case Opcode::AndI:
    case Opcode::ShlI:
    case Opcode::LShrI: return part_pointer(t, i, r);
    default: execute_float(i, r); return true;
  }
  (void)d;
}

int32_t find_case(const SwitchInfo& info, uint64_t value) {
  if (!info.dense.empty()) {
    const uint64_t index = value - info.lowest;
    return index < info.dense.size() ? info.dense[index] : info.otherwise;
  }
  size_t low = 0, high = info.sorted.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (info.sorted[middle].first < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < info.sorted.size() && info.sorted[low].first == value ? info.sorted[low].second : info.otherwise;
}

}  // namespace heddle::machine
