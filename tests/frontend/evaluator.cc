#include "tests/frontend/evaluator.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "server/program/operands.h"
#include "server/program/print.h"

namespace heddle::frontend {
namespace {

using namespace heddle::program;
using Wide = unsigned __int128;

uint64_t mask(uint64_t bits, uint32_t width) { return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1); }
int64_t extend(uint64_t bits, uint32_t width) {
  return width >= 64 ? static_cast<int64_t>(bits) : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

uint64_t integer(Opcode op, uint32_t w, uint64_t a, uint64_t b) {
  const int64_t sa = extend(a, w), sb = extend(b, w);
  switch (op) {
    case Opcode::Add: return mask(a + b, w);
    case Opcode::Sub: return mask(a - b, w);
    case Opcode::Mul: return mask(a * b, w);
    case Opcode::UDiv: return mask(a, w) / mask(b, w);
    case Opcode::SDiv: return mask(static_cast<uint64_t>(sa / sb), w);
    case Opcode::URem: return mask(a, w) % mask(b, w);
    case Opcode::SRem: return mask(static_cast<uint64_t>(sa % sb), w);
    case Opcode::Shl: return mask(a << b, w);
    case Opcode::LShr: return mask(a, w) >> b;
    case Opcode::AShr: return mask(static_cast<uint64_t>(sa >> b), w);
    case Opcode::And: return a & b;
    case Opcode::Or: return a | b;
    case Opcode::Xor: return a ^ b;
    case Opcode::CmpEq: return mask(a, w) == mask(b, w);
    case Opcode::CmpNe: return mask(a, w) != mask(b, w);
    case Opcode::CmpULt: return mask(a, w) < mask(b, w);
    case Opcode::CmpULe: return mask(a, w) <= mask(b, w);
    case Opcode::CmpUGt: return mask(a, w) > mask(b, w);
    case Opcode::CmpUGe: return mask(a, w) >= mask(b, w);
    case Opcode::CmpSLt: return sa < sb;
    case Opcode::CmpSLe: return sa <= sb;
    case Opcode::CmpSGt: return sa > sb;
    default: return sa >= sb;
  }
}

Wide wide(WideKind kind, Wide a, Wide b) {
  const auto sa = static_cast<__int128>(a), sb = static_cast<__int128>(b);
  switch (kind) {
    case WideKind::Add: return a + b;
    case WideKind::Sub: return a - b;
    case WideKind::Mul: return a * b;
    case WideKind::UDiv: return a / b;
    case WideKind::SDiv: return static_cast<Wide>(sa / sb);
    case WideKind::URem: return a % b;
    case WideKind::SRem: return static_cast<Wide>(sa % sb);
    case WideKind::Shl: return a << b;
    case WideKind::LShr: return a >> b;
    case WideKind::AShr: return static_cast<Wide>(sa >> b);
    case WideKind::And: return a & b;
    case WideKind::Or: return a | b;
    case WideKind::Xor: return a ^ b;
  }
  return 0;
}

long double get_float(const uint64_t* slot, uint32_t width) {
  if (width == 32) return std::bit_cast<float>(static_cast<uint32_t>(slot[0]));
  if (width == 64) return std::bit_cast<double>(slot[0]);
  long double value = 0;
  std::memcpy(&value, slot, 10);
  return value;
}

void set_float(uint64_t* slot, uint32_t width, long double value) {
  if (width == 32)
    slot[0] = std::bit_cast<uint32_t>(static_cast<float>(value));
  else if (width == 64)
    slot[0] = std::bit_cast<uint64_t>(static_cast<double>(value));
  else {
    slot[1] = 0;
    std::memcpy(slot, &value, 10);
  }
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
  return 0;
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
    default: return std::nearbyint(a);
  }
}

uint64_t unary(UnaryKind kind, uint32_t w, uint64_t a) {
  a = mask(a, w);
  switch (kind) {
    case UnaryKind::PopulationCount: return static_cast<uint64_t>(std::popcount(a));
    case UnaryKind::LeadingZeros: return static_cast<uint64_t>(std::countl_zero(a)) - (64 - w);
    case UnaryKind::TrailingZeros: return a == 0 ? w : static_cast<uint64_t>(std::countr_zero(a));
    case UnaryKind::ByteSwap: return __builtin_bswap64(a) >> (64 - w);
    case UnaryKind::BitReverse: {
      uint64_t result = 0;
      for (uint32_t n = 0; n < w; ++n) result |= (a >> n & 1) << (w - 1 - n);
      return result;
    }
    case UnaryKind::Absolute: return mask(static_cast<uint64_t>(std::abs(extend(a, w))), w);
  }
  return 0;
}

bool overflow(OverflowKind kind, uint32_t w, uint64_t a, uint64_t b, uint64_t& result) {
  const bool is_signed = kind == OverflowKind::SAdd || kind == OverflowKind::SSub || kind == OverflowKind::SMul;
  const __int128 x = is_signed ? static_cast<__int128>(extend(a, w)) : static_cast<__int128>(mask(a, w));
  const __int128 y = is_signed ? static_cast<__int128>(extend(b, w)) : static_cast<__int128>(mask(b, w));
  const bool add = kind == OverflowKind::SAdd || kind == OverflowKind::UAdd;
  const bool subtract = kind == OverflowKind::SSub || kind == OverflowKind::USub;
  __int128 exact = 0;
  const bool out = add        ? __builtin_add_overflow(x, y, &exact)
                   : subtract ? __builtin_sub_overflow(x, y, &exact)
                              : __builtin_mul_overflow(x, y, &exact);
  result = mask(static_cast<uint64_t>(exact), w);
  return out || exact != (is_signed ? static_cast<__int128>(extend(result, w)) : static_cast<__int128>(result));
}

uint64_t update(UpdateKind kind, uint32_t w, uint64_t old, uint64_t with) {
  switch (kind) {
    case UpdateKind::Exchange: return with;
    case UpdateKind::Add: return mask(old + with, w);
    case UpdateKind::Sub: return mask(old - with, w);
    case UpdateKind::And: return old & with;
    case UpdateKind::Nand: return mask(~(old & with), w);
    case UpdateKind::Or: return old | with;
    case UpdateKind::Xor: return old ^ with;
    case UpdateKind::SMax: return extend(old, w) > extend(with, w) ? old : with;
    case UpdateKind::SMin: return extend(old, w) < extend(with, w) ? old : with;
    case UpdateKind::UMax: return old > with ? old : with;
    case UpdateKind::UMin: return old < with ? old : with;
    default: throw std::runtime_error("update");
  }
}

}  // namespace

Evaluator::Evaluator(UnitPtr unit) : unit_(std::move(unit)) {
  for (const Function& function : unit_->functions) {
    addresses_[function.symbol.value] = reinterpret_cast<uint64_t>(allocate(1));
    functions_[addresses_[function.symbol.value]] = &function;
  }
  for (const Global& global : unit_->globals) {
    auto* at = static_cast<uint8_t*>(allocate(global.size));
    if (!global.initialiser.empty()) std::memcpy(at, global.initialiser.data(), global.initialiser.size());
    addresses_[global.symbol.value] = reinterpret_cast<uint64_t>(at);
  }
  for (const Global& global : unit_->globals)
    for (const Relocation& relocation : global.relocations) {
      const uint64_t value = address(relocation.symbol) + static_cast<uint64_t>(relocation.addend);
      std::memcpy(reinterpret_cast<uint8_t*>(addresses_[global.symbol.value]) + relocation.offset, &value, 8);
    }
}

Evaluator::~Evaluator() = default;

void* Evaluator::allocate(uint64_t size) {
  memory_.push_back(std::make_unique<uint8_t[]>(size + 64));
  const auto at = reinterpret_cast<uint64_t>(memory_.back().get());
  return reinterpret_cast<void*>((at + 31) / 32 * 32);
}

uint64_t Evaluator::address(SymbolId symbol) const {
  const auto found = addresses_.find(symbol.value);
  return found == addresses_.end() ? 0 : found->second;
}

uint64_t Evaluator::call(const std::string& name) {
  for (const Function& function : unit_->functions)
    if (unit_->symbols[function.symbol.value].name == name) return run(function, {}, {}).at(0);
  throw std::runtime_error("no function " + name);
}

Evaluator::Slots Evaluator::call_site(const Function& caller, Slots& frame, const Instruction& i) {
  const CallSite& site = caller.calls[static_cast<size_t>(i.imm)];
  const auto callee = functions_.find(i.op == Opcode::Call ? address(SymbolId(i.a)) : frame[i.a]);
  if (callee == functions_.end())
    throw std::runtime_error("call of " + (i.op == Opcode::Call ? unit_->symbols[i.a].name : "an unknown address"));
  Slots arguments;
  std::vector<uint8_t> variadic;
  for (size_t n = 0; n < site.arguments.size(); ++n) {
    const Argument& a = site.arguments[n];
    if (n < site.fixed || !callee->second->variadic) {
      arguments.insert(arguments.end(), frame.begin() + a.slot, frame.begin() + a.slot + a.slots);
      continue;
    }
    const size_t size = a.by_value ? a.by_value : a.bytes;
    size_t at = variadic.size();
    if (a.alignment > 8) at = (at + a.alignment - 1) / a.alignment * a.alignment;
    variadic.resize(at + (size + 7) / 8 * 8);
    const void* from =
        a.by_value ? reinterpret_cast<const void*>(frame[a.slot]) : static_cast<const void*>(&frame[a.slot]);
    std::memcpy(variadic.data() + at, from, size);
  }
  return run(*callee->second, arguments, variadic);
}

Evaluator::Slots Evaluator::run(const Function& f, const Slots& arguments, const std::vector<uint8_t>& variadic) {
  Slots frame(f.frame_slots + 4, 0xdeadbeefdeadbeefull);
  std::copy(arguments.begin(), arguments.end(), frame.begin());
  const auto get_wide = [&](Slot s) { return static_cast<Wide>(frame[s]) | static_cast<Wide>(frame[s + 1]) << 64; };
  const auto set_wide = [&](Slot s, Wide value) {
    frame[s] = static_cast<uint64_t>(value);
    frame[s + 1] = static_cast<uint64_t>(value >> 64);
  };
  const auto load = [&](Slot dst, uint64_t at, uint32_t width) {
    frame[dst] = 0;
    if (width > 64) frame[dst + 1] = 0;
    std::memcpy(&frame[dst], reinterpret_cast<const void*>(at), width / 8);
  };
  const auto store = [&](uint64_t at, Slot from, uint32_t width) {
    std::memcpy(reinterpret_cast<void*>(at), &frame[from], width / 8);
  };
  for (uint32_t pc = 0;;) {
    const Instruction& i = f.code[pc++];
    const auto immediate = static_cast<uint64_t>(i.imm);
    const auto third = static_cast<Slot>(i.imm);
    if (i.op >= Opcode::Add && i.op <= Opcode::CmpSGeI) {
      const auto first = static_cast<uint32_t>(Opcode::Add);
      const uint32_t n = static_cast<uint32_t>(i.op) - first;
      frame[i.dst] =
          integer(static_cast<Opcode>(first + n / 2 * 2), i.width, frame[i.a], n % 2 ? immediate : frame[i.b]);
      continue;
    }
    switch (i.op) {
      case Opcode::Const: frame[i.dst] = immediate; break;
      case Opcode::Move: frame[i.dst] = frame[i.a]; break;
      case Opcode::Undefined: frame[i.dst] = 0; break;
      case Opcode::SymbolAddress: frame[i.dst] = address(SymbolId(i.a)) + immediate; break;
      case Opcode::Select: frame[i.dst] = frame[i.a] ? frame[i.b] : frame[third]; break;
      case Opcode::Truncate: frame[i.dst] = mask(frame[i.a], i.width); break;
      case Opcode::SignExtend:
        frame[i.dst] = mask(static_cast<uint64_t>(extend(frame[i.a], static_cast<uint32_t>(i.imm))), i.width);
        break;
      case Opcode::Unary: frame[i.dst] = unary(static_cast<UnaryKind>(i.imm), i.width, frame[i.a]); break;
      case Opcode::Overflow: {
        uint64_t result = 0;
        const bool out = overflow(static_cast<OverflowKind>(i.imm), i.width, frame[i.a], frame[i.b], result);
        frame[i.dst] = result;
        frame[i.dst + 1] = out;
        break;
      }
      case Opcode::FunnelShift: {
        const uint32_t amount = static_cast<uint32_t>(frame[third] % i.width);
        const Wide joined = static_cast<Wide>(frame[i.a]) << i.width | frame[i.b];
        frame[i.dst] = mask(static_cast<uint64_t>(i.flags ? joined >> amount : joined >> (i.width - amount)), i.width);
        break;
      }
      case Opcode::WideBinary: {
        const auto kind = static_cast<WideKind>(i.imm);
        const bool shift = kind == WideKind::Shl || kind == WideKind::LShr || kind == WideKind::AShr;
        set_wide(i.dst, wide(kind, get_wide(i.a), shift ? static_cast<Wide>(frame[i.b]) : get_wide(i.b)));
        break;
      }
      case Opcode::WideCompare: {
        const Wide a = get_wide(i.a), b = get_wide(i.b);
        const auto sa = static_cast<__int128>(a), sb = static_cast<__int128>(b);
        const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, sa<sb, sa <= sb, sa> sb, sa >= sb};
        frame[i.dst] = results[i.imm];
        break;
      }
      case Opcode::WideExtend:
        set_wide(i.dst, i.imm ? static_cast<Wide>(static_cast<__int128>(extend(frame[i.a], i.width)))
                              : static_cast<Wide>(frame[i.a]));
        break;
      case Opcode::FloatBinary: {
        const long double a = get_float(&frame[i.a], i.width), b = get_float(&frame[i.b], i.width);
        const auto kind = static_cast<FloatKind>(i.imm);
        set_float(&frame[i.dst], i.width,
                  i.width == 32   ? float_binary(kind, static_cast<float>(a), static_cast<float>(b))
                  : i.width == 64 ? float_binary(kind, static_cast<double>(a), static_cast<double>(b))
                                  : float_binary(kind, a, b));
        break;
      }
      case Opcode::FloatUnary:
        set_float(&frame[i.dst], i.width,
                  float_unary(static_cast<FloatUnaryKind>(i.imm), get_float(&frame[i.a], i.width)));
        break;
      case Opcode::FloatFused:
        set_float(&frame[i.dst], i.width,
                  std::fma(get_float(&frame[i.a], i.width), get_float(&frame[i.b], i.width),
                           get_float(&frame[third], i.width)));
        break;
      case Opcode::FloatCompare: {
        const long double a = get_float(&frame[i.a], i.width), b = get_float(&frame[i.b], i.width);
        const int relation = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;  // bits of LLVM's predicate numbers
        frame[i.dst] = (i.imm & relation) != 0;
        break;
      }
      case Opcode::FloatConvert:
        set_float(&frame[i.dst], i.width, get_float(&frame[i.a], static_cast<uint32_t>(i.imm)));
        break;
      case Opcode::IntToFloat: {
        const uint64_t bits = frame[i.a];
        const auto from = static_cast<uint32_t>(i.imm);
        long double value = i.flags ? static_cast<long double>(extend(bits, from)) : static_cast<long double>(bits);
        if (from == 128)
          value = i.flags ? static_cast<long double>(static_cast<__int128>(get_wide(i.a)))
                          : static_cast<long double>(get_wide(i.a));
        set_float(&frame[i.dst], i.width, value);
        break;
      }
      case Opcode::FloatToInt: {
        const long double value = get_float(&frame[i.a], static_cast<uint32_t>(i.imm));
        if (i.width == 128)
          set_wide(i.dst, i.flags ? static_cast<Wide>(static_cast<__int128>(value)) : static_cast<Wide>(value));
        else
          frame[i.dst] = mask(
              i.flags ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value), i.width);
        break;
      }
      case Opcode::PointerAdd: frame[i.dst] = frame[i.a] + immediate; break;
      case Opcode::PointerIndex:
        frame[i.dst] = frame[i.a] + static_cast<uint64_t>(extend(frame[i.b], i.width)) * immediate;
        break;
      case Opcode::Load:
      case Opcode::AtomicLoad: load(i.dst, frame[i.a] + immediate, i.width); break;
      case Opcode::Store:
      case Opcode::AtomicStore: store(frame[i.a] + immediate, i.b, i.width); break;
      case Opcode::AtomicUpdate: {
        const uint64_t at = frame[i.a];
        uint64_t old = 0;
        std::memcpy(&old, reinterpret_cast<void*>(at), i.width / 8);
        const uint64_t made = update(static_cast<UpdateKind>(i.imm), i.width, old, frame[i.b]);
        std::memcpy(reinterpret_cast<void*>(at), &made, i.width / 8);
        frame[i.dst] = old;
        break;
      }
      case Opcode::CompareExchange: {
        const uint64_t at = frame[i.a], expected = frame[i.b], desired = frame[third];
        uint64_t old = 0;
        std::memcpy(&old, reinterpret_cast<void*>(at), i.width / 8);
        if (old == expected) std::memcpy(reinterpret_cast<void*>(at), &desired, i.width / 8);
        frame[i.dst] = old;
        frame[i.dst + 1] = old == expected;
        break;
      }
      case Opcode::MemoryCopy:
        std::memmove(reinterpret_cast<void*>(frame[i.a]), reinterpret_cast<void*>(frame[i.b]), frame[third]);
        break;
      case Opcode::MemorySet:
        std::memset(reinterpret_cast<void*>(frame[i.a]), static_cast<int>(frame[i.b]), frame[third]);
        break;
      case Opcode::StackAllocate: frame[i.dst] = reinterpret_cast<uint64_t>(allocate(immediate)); break;
      case Opcode::StackAllocateDynamic:
        frame[i.dst] = reinterpret_cast<uint64_t>(allocate(immediate * frame[i.a]));
        break;
      case Opcode::StackSave: frame[i.dst] = 0; break;
      case Opcode::StackRestore:
      case Opcode::LifetimeStart:
      case Opcode::LifetimeEnd:
      case Opcode::Fence:
      case Opcode::Pause:
      case Opcode::VariadicEnd: break;
      case Opcode::Jump: pc = i.dst; break;
      case Opcode::Branch: pc = frame[i.a] ? i.dst : i.b; break;
      case Opcode::Switch: {
        const SwitchTable& table = f.switches[i.b];
        pc = table.default_target;
        for (size_t n = 0; n < table.values.size(); ++n)
          if (table.values[n] == frame[i.a]) pc = table.targets[n];
        break;
      }
      case Opcode::IndirectJump: pc = f.switches[i.b].targets.at(frame[i.a]); break;
      case Opcode::Return: return Slots(frame.begin() + i.a, frame.begin() + i.a + i.b);
      case Opcode::Call:
      case Opcode::CallIndirect: {
        const Slots results = call_site(f, frame, i);
        std::copy(results.begin(), results.end(), frame.begin() + i.dst);
        break;
      }
      case Opcode::VariadicStart: {
        auto* area = static_cast<uint8_t*>(allocate(variadic.size()));
        std::memcpy(area, variadic.data(), variadic.size());
        struct {
          uint32_t integers = 48, floats = 176;
          void* overflow;
          void* registers = nullptr;
        } list;
        list.overflow = area;
        std::memcpy(reinterpret_cast<void*>(frame[i.a]), &list, sizeof list);
        break;
      }
      case Opcode::VariadicCopy:
        std::memcpy(reinterpret_cast<void*>(frame[i.a]), reinterpret_cast<void*>(frame[i.b]), 24);
        break;
      default: throw std::runtime_error("reached: " + print(*unit_, f, i));
    }
  }
}

}  // namespace heddle::frontend
