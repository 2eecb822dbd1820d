// Futexes: syscall(SYS_futex, word, operation, value, timeout, word2, bits). A wait is two operations: FutexWait
// compares the word and starts waiting, FutexReturn ends the wait once the thread was woken (or its time is up). A
// wake-up orders nothing: the accesses to the word do. The kernel may wake any of the waiters.
#include <sys/syscall.h>

#include <algorithm>

#include "server/machine/library/model.h"
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace {

// Of linux/futex.h.
constexpr uint32_t kWait = 0, kWake = 1, kWaitBits = 9, kWakeBits = 10;
constexpr uint32_t kFlags = 128 | 256;  // private, real-time clock
constexpr uint32_t kAnyBits = 0xffffffff;
constexpr uint32_t kWordSize = 4;

struct Arguments {
  uint64_t number = 0;
  uint32_t operation = 0, value = 0, bits = kAnyBits;
  uint64_t timeout = 0;
};

Arguments arguments_of(const Machine::State& s, const Thread& t) {
  const auto& places = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)].site->arguments;
  const auto argument = [&](size_t n) { return n < places.size() ? t.stack[t.fp + places[n].slot] : 0; };
  Arguments a;
  a.number = argument(0);
  a.operation = static_cast<uint32_t>(argument(2)) & ~kFlags;
  a.value = static_cast<uint32_t>(argument(3));
  a.timeout = argument(4);
  if (a.operation == kWaitBits || a.operation == kWakeBits) a.bits = static_cast<uint32_t>(argument(6));
  return a;
}

bool waits(const Thread* w, uint64_t word, uint32_t bits) {
  return w != nullptr && w->life == Life::Running && w->phase == Phase::FutexReturn && !w->woken &&
         w->waits_for == word && (w->waits_since & bits) != 0;
}

std::vector<uint32_t> waiters(const Machine::State& s, uint64_t word, uint32_t bits) {
  std::vector<uint32_t> result;
  for (uint32_t id = 0; id < s.threads_.limit(); ++id)
    if (waits(s.threads_[id], word, bits)) result.push_back(id);
  return result;
}

// How many sets of `chosen` out of `all` there are; saturates.
uint32_t choices(uint64_t all, uint64_t chosen) {
  if (chosen >= all) return 1;
  uint64_t result = 1;
  for (uint64_t n = 1; n <= chosen; ++n) result = std::min<uint64_t>(result * (all - chosen + n) / n, 0x7fffffff);
  return static_cast<uint32_t>(result);
}

void fail_with_errno(SyncCall& call, int code) {
  if (!set_errno(call.state, call.thread, code)) return;
  call.result(~uint64_t{0});
}

void begin_wait(SyncCall& call, const Arguments& a) {
  Machine::State& s = call.state;
  Thread& t = call.thread;
  const Pointer word = call.operation.object;
  Object* const o = s.readable(t, word, kWordSize, "waits for");
  if (o == nullptr) return;
  if (word.offset() % kWordSize != 0 || a.bits == 0) return fail_with_errno(call, kInvalid);
  s.access_atomic(t, *o, word, kWordSize, true, false);
  const uint32_t value = static_cast<uint32_t>(s.peek(word, kWordSize));
  call.event.value_read = value;
  if (value != a.value) {
    call.failed = true;
    return fail_with_errno(call, kTryAgain);
  }
  t.phase = Phase::FutexReturn;
  t.waits_for = word.bits;
  t.waits_since = a.bits;
  t.woken = false;
  t.timed = a.timeout != 0;
  call.failed = true;  // nothing has changed yet
  call.stays = true;
}

void end_futex_wait(SyncCall& call) {
  Thread& t = call.thread;
  t.phase = Phase::Normal;
  t.waits_for = 0;
  if (t.woken) {
    t.woken = false;
    return call.result(0);
  }
  time_is_up(call, arguments_of(call.state, t).operation == kWait);
  call.failed = t.paused = true;
  fail_with_errno(call, kTimedOut);
}

// The alternative numbers the sets of threads to wake, in the order of their members.
void wake(SyncCall& call, const Arguments& a) {
  const std::vector<uint32_t> all = waiters(call.state, call.operation.object.bits, a.bits);
  uint64_t left = std::min<uint64_t>(a.value, all.size()), number = call.alternative;
  call.failed = left == 0;
  call.result(left);
  for (size_t n = 0; n < all.size() && left > 0; ++n) {
    const uint64_t rest = all.size() - n - 1;
    const uint32_t with = left - 1 <= rest ? choices(rest, left - 1) : 0;
    if (number >= with) {
      number -= with;
      continue;
    }
    Thread& w = *call.state.threads_[all[n]];
    call.state.touch_running(w);
    w.woken = true;
    --left;
  }
}

void other_call(SyncCall& call, const Arguments& a) {
  switch (a.number) {
    case SYS_getpid: return call.result(kProcess);
    case SYS_gettid: return call.result(kProcess + call.thread.id);
    case SYS_sched_yield: call.thread.pause_hint = true; return call.result(0);
    case SYS_futex:
      call.state.fault(call.thread, FaultKind::Unsupported, "futex operation " + std::to_string(a.operation));
      return;
    default:
      call.state.fault(call.thread, FaultKind::Unsupported, "system call number " + std::to_string(a.number));
      return;
  }
}

void system_call(SyncCall& call) {
  const Arguments a = arguments_of(call.state, call.thread);
  switch (call.operation.kind) {
    case OperationKind::FutexWait: return begin_wait(call, a);
    case OperationKind::FutexReturn: return end_futex_wait(call);
    case OperationKind::FutexWake: return wake(call, a);
    default: return other_call(call, a);
  }
}

}  // namespace

OperationKind system_call_kind(const Machine::State& state, const Thread& t) {
  if (t.phase == Phase::FutexReturn) return OperationKind::FutexReturn;
  const Arguments a = arguments_of(state, t);
  if (a.number != SYS_futex) return OperationKind::Yield;
  if (a.operation == kWait || a.operation == kWaitBits) return OperationKind::FutexWait;
  if (a.operation == kWake || a.operation == kWakeBits) return OperationKind::FutexWake;
  return OperationKind::Yield;
}

uint32_t futex_value(const Machine::State& state, const Thread& t) { return arguments_of(state, t).value; }

uint32_t futex_wake_alternatives(const Machine::State& state, const Thread& t) {
  const Arguments a = arguments_of(state, t);
  return choices(waiters(state, t.pending.object.bits, a.bits).size(), a.value);
}

std::span<const VisibleRow> futex_rows() {
  static const VisibleRow rows[] = {{"syscall", OperationKind::FutexWait, 1, -1, false, system_call}};
  return rows;
}

}  // namespace heddle::machine
