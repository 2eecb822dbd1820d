// Helpers of the interpreter loop that are not part of its code.
//
// In:      slot values with their width in bits; decoded operations; a machine and its running thread.
// Out:     64-bit values; for calls what they lead to, with the frame of a guest function entered.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   CallTarget::Faulted, or false, after a fault. The arithmetic never traps if the divisor is not 0.
#pragma once

#include "server/machine/state.h"

namespace heddle::machine {

inline uint64_t width_mask(uint32_t width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
inline int64_t signed_of(uint64_t value, uint32_t width) {
  return width >= 64 ? static_cast<int64_t>(value) : static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}
// INT_MIN / -1 wraps, as no hardware trap may reach the host.
inline bool division_overflows(uint64_t a, uint64_t b, uint32_t width) {
  const int64_t divisor = signed_of(b, width);
  return divisor == -1 && (a & width_mask(width)) == uint64_t{1} << (width - 1);
}
inline uint64_t signed_divide(uint64_t a, uint64_t b, uint32_t width) {
  const int64_t x = signed_of(a, width), y = signed_of(b, width);
  return y == -1 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x / y);
}
inline uint64_t signed_remainder(uint64_t a, uint64_t b, uint32_t width) {
  const int64_t x = signed_of(a, width), y = signed_of(b, width);
  return y == -1 ? 0 : static_cast<uint64_t>(x % y);
}
inline uint64_t multiply_clamped(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? ~uint64_t{0} : product;
}

// What an atomic update that the decoder takes for LocalAtomicUpdate leaves.
template <typename T>
inline T local_update(program::UpdateKind kind, T old, T operand) {
  switch (kind) {
    case program::UpdateKind::Add: return static_cast<T>(old + operand);
    case program::UpdateKind::Sub: return static_cast<T>(old - operand);
    case program::UpdateKind::And: return old & operand;
    case program::UpdateKind::Or: return old | operand;
    default: return old ^ operand;
  }
}

int32_t find_case(const SwitchInfo& info, uint64_t value);
void restore_stack_memory(Thread& t, uint64_t saved);

struct CallTarget {
  enum Kind : uint8_t { Function, Builtin, Visible, Faulted } kind = Faulted;
  machine::Builtin builtin = nullptr;
  const CallInfo* info = nullptr;
  uint8_t variables = 0;  // as in Callee
};
// A call through a pointer, or of a variadic function. A guest function is entered; the rest is up to the caller.
CallTarget prepare_call(Machine::State& state, Thread& t, const Decoded& call, const uint64_t* slots);
bool start_variadic(Machine::State& state, Thread& t, Pointer list, uint64_t area);
void raise_unsupported(Machine::State& state, Thread& t, const Decoded& operation);

}  // namespace heddle::machine
