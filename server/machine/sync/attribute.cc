// Attributes of threads, mutexes and the other objects: words that the programs see through getters and setters only.
// What Heddle's models look at: the detach state (thread, offset 0), the size of the stack (offset 8), and a mutex's
// type and robustness (below). The first word of one that was destroyed is kDestroyed.
#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kThreadAttributeSize = 56;
constexpr uint32_t kDestroyed = 0xdeadadd0;

bool is_alive(Machine::State& s, Thread& t, Pointer attribute) {
  if (s.peek(attribute, 4) != kDestroyed) return true;
  return s.fault(t, FaultKind::LockMisuse, "uses " + s.name_of(attribute, 1) + ", which was destroyed", attribute);
}
bool is_alive(Guest& g) {
  auto& own = static_cast<CallGuest&>(g);
  return is_alive(own.s, *own.t, g.pointer(0));
}

Status zero(Guest& g) {
  g.result_int(0);
  return Status::Done;
}

Status destroy(Guest& g) { return g.write(g.pointer(0), &kDestroyed, sizeof kDestroyed) ? zero(g) : Status::Faulted; }

template <uint32_t kSize>
Status initialise(Guest& g) {
  if (!g.fill(g.pointer(0), 0, kSize)) return Status::Faulted;
  return zero(g);
}
template <uint32_t kOffset, uint32_t kSize>
Status set(Guest& g) {
  const uint64_t value = g.argument(1);
  if (!is_alive(g) || !g.write({g.pointer(0).bits + kOffset}, &value, kSize)) return Status::Faulted;
  return zero(g);
}
template <uint32_t kOffset, uint32_t kSize>
Status get(Guest& g) {
  uint64_t value = 0;
  if (!is_alive(g) || !g.read({g.pointer(0).bits + kOffset}, &value, kSize) || !g.write(g.pointer(1), &value, kSize)) {
    return Status::Faulted;
  }
  return zero(g);
}

// Some bits of the word at offset 0.
template <uint32_t kShift, uint32_t kMost>
Status set_bits(Guest& g) {
  const uint32_t value = static_cast<uint32_t>(g.argument(1));
  uint32_t word = 0;
  if (value > kMost) {
    g.result_int(kInvalid);
    return Status::Done;
  }
  if (!is_alive(g) || !g.read(g.pointer(0), &word, 4)) return Status::Faulted;
  word = (word & ~(kMost << kShift)) | value << kShift;
  if (!g.write(g.pointer(0), &word, 4)) return Status::Faulted;
  return zero(g);
}
template <uint32_t kShift, uint32_t kMost>
Status get_bits(Guest& g) {
  uint32_t word = 0;
  if (!is_alive(g) || !g.read(g.pointer(0), &word, 4)) return Status::Faulted;
  word = word >> kShift & kMost;
  if (!g.write(g.pointer(1), &word, 4)) return Status::Faulted;
  return zero(g);
}

Status initialise_thread(Guest& g) {
  const uint64_t stack[2] = {static_cast<CallGuest&>(g).s.options_.stack_size, 4096};  // and the guard's
  if (!g.fill(g.pointer(0), 0, kThreadAttributeSize)) return Status::Faulted;
  if (!g.write({g.pointer(0).bits + kStackSizeAt}, stack, sizeof stack)) return Status::Faulted;
  return zero(g);
}

// The thread that argument 0 names; null after a fault.
Thread* asked_thread(CallGuest& g) {
  const uint64_t handle = g.argument(0);
  Thread* const named = handle == 0 || handle > g.s.threads_.limit() ? nullptr : g.s.threads_[handle - 1];
  const bool known = named != nullptr && named->life != Life::None;
  const std::string over = known ? end_of_life(*named) : "";
  if (known && over.empty()) return named;
  g.s.fault(*g.t, FaultKind::ThreadMisuse,
            known ? "asks for a property of " + g.s.thread_name(named->id) + over
                  : "asks for a property of a handle that is no thread");
  return nullptr;
}

Status attributes_of_thread(Guest& guest) {  // pthread_getattr_np(thread, attribute)
  auto& g = static_cast<CallGuest&>(guest);
  const Thread* const named = asked_thread(g);
  if (named == nullptr || !g.fill(g.pointer(1), 0, kThreadAttributeSize)) return Status::Faulted;
  const int32_t detached = named->detached;
  const uint64_t stack[2] = {named->stack_size != 0 ? named->stack_size : g.s.options_.stack_size, 4096};
  if (!g.write(g.pointer(1), &detached, 4) || !g.write({g.pointer(1).bits + kStackSizeAt}, stack, sizeof stack))
    return Status::Faulted;
  return zero(g);
}

Status clock_of_thread(Guest& guest) {  // pthread_getcpuclockid(thread, clock)
  auto& g = static_cast<CallGuest&>(guest);
  constexpr int32_t kThreadTime = 3;
  if (asked_thread(g) == nullptr || !g.write(g.pointer(1), &kThreadTime, 4)) return Status::Faulted;
  return zero(g);
}

// The C library refuses one that is too small.
Status set_stack_size(Guest& g) {
  constexpr uint64_t kLeast = 16384;  // PTHREAD_STACK_MIN
  if (g.argument(1) < kLeast) {
    g.result_int(kInvalid);
    return Status::Done;
  }
  return set<kStackSizeAt, 8>(g);
}

}  // namespace

bool SyncCall::read_attribute(uint32_t argument_number, uint32_t offset, void* to, uint32_t size) {
  const Pointer at{argument(argument_number)};
  return is_alive(state, thread, at) && read_written({at.bits + offset}, to, size);
}

std::span<const BuiltinRow> attribute_builtins() {
  static const BuiltinRow rows[] = {
      {"pthread_attr_init", initialise_thread},
      {"pthread_attr_destroy", destroy},
      {"pthread_attr_setdetachstate", set<0, 4>},
      {"pthread_attr_getdetachstate", get<0, 4>},
      {"pthread_attr_setstacksize", set_stack_size},
      {"pthread_attr_getstacksize", get<kStackSizeAt, 8>},
      {"pthread_attr_setguardsize", set<16, 8>},
      {"pthread_attr_getguardsize", get<16, 8>},
      {"pthread_attr_setinheritsched", set<24, 4>},
      {"pthread_attr_getinheritsched", get<24, 4>},
      {"pthread_attr_setschedpolicy", set<28, 4>},
      {"pthread_attr_getschedpolicy", get<28, 4>},
      {"pthread_attr_setscope", set<32, 4>},
      {"pthread_attr_getscope", get<32, 4>},
      {"pthread_attr_setschedparam", zero},
      {"pthread_attr_setaffinity_np", zero},
      {"pthread_getattr_np", attributes_of_thread},
      {"pthread_getcpuclockid", clock_of_thread},
      {"pthread_mutexattr_init", initialise<4>},
      {"pthread_mutexattr_destroy", destroy},
      // The type in bits 0 and 1, robust in bit 4: what pthread_mutex_init copies into the mutex.
      {"pthread_mutexattr_settype", set_bits<0, 3>},
      {"pthread_mutexattr_gettype", get_bits<0, 3>},
      {"pthread_mutexattr_setrobust", set_bits<4, 1>},
      {"pthread_mutexattr_getrobust", get_bits<4, 1>},
      {"pthread_mutexattr_setrobust_np", set_bits<4, 1>},
      {"pthread_mutexattr_getrobust_np", get_bits<4, 1>},
      {"pthread_mutexattr_setpshared", set_bits<5, 1>},
      {"pthread_mutexattr_getpshared", get_bits<5, 1>},
      {"pthread_mutexattr_setprotocol", set_bits<6, 3>},
      {"pthread_mutexattr_getprotocol", get_bits<6, 3>},
      {"pthread_mutexattr_setprioceiling", set_bits<8, 127>},
      {"pthread_mutexattr_getprioceiling", get_bits<8, 127>},
      {"pthread_condattr_init", initialise<4>},
      {"pthread_condattr_destroy", destroy},
      {"pthread_condattr_setclock", set_bits<1, 15>},
      {"pthread_condattr_getclock", get_bits<1, 15>},
      {"pthread_condattr_setpshared", set_bits<0, 1>},
      {"pthread_condattr_getpshared", get_bits<0, 1>},
      {"pthread_rwlockattr_init", initialise<8>},
      {"pthread_rwlockattr_destroy", destroy},
      {"pthread_rwlockattr_setkind_np", set<0, 4>},
      {"pthread_rwlockattr_getkind_np", get<0, 4>},
      {"pthread_rwlockattr_setpshared", set<4, 4>},
      {"pthread_rwlockattr_getpshared", get<4, 4>},
      {"pthread_barrierattr_init", initialise<4>},
      {"pthread_barrierattr_destroy", destroy},
      {"pthread_barrierattr_setpshared", set<0, 4>},
      {"pthread_barrierattr_getpshared", get<0, 4>},
  };
  return rows;
}

}  // namespace heddle::machine
