// Time: every thread has a clock of its own, so that what it reads depends only on what happens before. It advances
// with each reading, jumps when a wait times out or a sleep ends, and starts after that of the creator. Where the
// program reads a clock, it catches up wherever happens-before does: with each acquire of a release, and with each
// atomic load of what was stored, in any memory order. So no thread reads a time earlier than one that it knows of.
#include "server/machine/sync/time.h"

#include <algorithm>
#include <cerrno>

#include "server/machine/hashing.h"
#include "server/machine/library/model.h"
#include "server/machine/library/support.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint64_t kBillion = 1'000'000'000;
constexpr uint64_t kSecondsMost = uint64_t{1} << 32;

uint64_t nanoseconds_at(const Machine::State& state, Pointer time) {
  const uint64_t seconds = state.peek(time, 8), rest = state.peek({time.bits + 8}, 8);
  return std::min(seconds, kSecondsMost) * kBillion + std::min(rest, kBillion);
}

bool is_no_time(const Machine::State& state, Pointer time) {
  return static_cast<int64_t>(state.peek(time, 8)) < 0 || state.peek({time.bits + 8}, 8) >= kBillion;
}

// The argument that says when to give up; an absolute time except for a plain futex wait.
uint32_t deadline_argument(const SyncCall& call) {
  const std::string_view name = call.row.name;
  const uint32_t clock = name.find("_clock") != std::string_view::npos;  // the argument before names a clock
  if (name == "syscall") return 4;
  if (name == "sigtimedwait") return 2;
  if (name.starts_with("pthread_cond") || name.starts_with("cnd_") || name.find("join") != std::string_view::npos)
    return 2 + clock;
  return 1 + clock;
}

}  // namespace

uint64_t Machine::State::look_at_clock(Thread& t) {
  constexpr uint64_t kLook = 1000;
  ++t.clock_reads;
  t.clock_read_at = t.events + 1;
  const Clock& mine = clocks_.at(t.clock);
  for (uint32_t id = 0; id < threads_.limit() && !looks_unordered_; ++id)
    looks_unordered_ = id != t.id && threads_[id] != nullptr && threads_[id]->clock_read_at > mine.at[id];
  clocks_.reach_time(t, clocks_.time(t) + kLook);
  return clocks_.time(t);
}

// Time that a thread may still reach by synchronising. What is no later than every running thread's changes nothing.
uint64_t Machine::State::hash_of_time() const {
  uint64_t least = ~uint64_t{0}, hash = 0;
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    const Thread* t = threads_[id];
    if (t != nullptr && t->life == Life::Running) least = std::min(least, clocks_.time(*t));
  }
  const auto add = [&](uint64_t key, uint64_t n, uint64_t later) {
    if (later > least) hash ^= hash_word(combine(key, n), later);
  };
  const auto add_clock = [&](uint64_t key, uint64_t n, uint32_t id) {
    if (id != 0) add(key, n, clocks_.at(id).time);
  };
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    const Thread* t = threads_[id];
    if (t == nullptr || t->life == Life::None) continue;
    if (t->life == Life::Ended && !t->joined) add_clock(id, 14, t->clock);
    add_clock(id, 15, t->acquire_clock);
    add_clock(id, 16, t->release_clock);
    add_clock(id, 17, t->cancel_clock);
  }
  for (const SyncObject* const known : sync_objects_.all()) {
    const SyncObject& s = *known;
    if (s.kind == SyncKind::None) continue;
    add_clock(s.address, 18, s.clock);
    add_clock(s.address, 19, s.second_clock);
  }
  for (const AtomicLocation* const known : atomics_.all()) {
    const AtomicLocation& l = *known;
    if (l.size == 0) continue;
    add(l.address, 20, l.time);
    add_clock(l.address, 21, l.release_clock);
  }
  return hash;
}

void time_is_up(SyncCall& call, bool relative) {
  const Pointer at{call.argument(deadline_argument(call))};
  if (at.bits == 0) return;
  uint64_t deadline = nanoseconds_at(call.state, at);
  if (relative) deadline += call.state.clocks_.time(call.thread);
  if (deadline >= kEpochSeconds * kBillion) deadline -= kEpochSeconds * kBillion;  // of the wall clock
  call.state.clocks_.reach_time(call.thread, deadline);
}

bool time_is_written(SyncCall& call) {
  switch (call.row.kind) {
    case OperationKind::Wait:
    case OperationKind::TimedLock:
    case OperationKind::TimedReadLock:
    case OperationKind::TimedWriteLock:
    case OperationKind::SemaphoreTimedWait:
    case OperationKind::Join: break;
    default: return true;
  }
  if (call.row.name.find("timed") == std::string_view::npos && call.row.name.find("_clock") == std::string_view::npos)
    return true;
  const Pointer at{call.argument(deadline_argument(call))};
  uint64_t word;
  return at.bits == 0 || (call.read_written(at, &word, 8) && call.read_written({at.bits + 8}, &word, 8));
}

bool is_bad_time(const SyncCall& call) {
  if (call.row.name.find("timed") == std::string_view::npos && call.row.name.find("_clock") == std::string_view::npos)
    return false;
  const Pointer at{call.argument(deadline_argument(call))};
  return at.bits != 0 && call.state.peek({at.bits + 8}, 8) >= kBillion;
}

Status sleep(CallGuest& guest, uint64_t nanoseconds) {
  guest.s.clocks_.reach_time(*guest.t, guest.s.clocks_.time(*guest.t) + nanoseconds);
  guest.t->pause_hint = guest.t->paused = true;
  guest.result_int(0);
  return Status::Done;
}

// Both its members, each of which decides.
bool reads_time(Guest& g, Pointer at) {
  uint64_t word;
  return g.read(at, &word, 8) && g.read({at.bits + 8}, &word, 8);
}

Status sleep_seconds(Guest& guest) {
  return sleep(static_cast<CallGuest&>(guest), (guest.argument(0) & 0xffffffff) * kBillion);
}
Status sleep_microseconds(Guest& guest) {
  return sleep(static_cast<CallGuest&>(guest), (guest.argument(0) & 0xffffffff) * 1000);
}
Status sleep_time(Guest& guest) {  // nanosleep
  if (!reads_time(guest, guest.pointer(0))) return Status::Faulted;
  CallGuest& own = static_cast<CallGuest&>(guest);
  if (is_no_time(own.s, guest.pointer(0))) return models::failed(guest, EINVAL);
  return sleep(own, nanoseconds_at(own.s, guest.pointer(0)));
}
Status sleep_of_c11(Guest& guest) {  // thrd_sleep
  if (!reads_time(guest, guest.pointer(0))) return Status::Faulted;
  CallGuest& own = static_cast<CallGuest&>(guest);
  if (is_no_time(own.s, guest.pointer(0))) return models::done_int(guest, -2);
  return sleep(own, nanoseconds_at(own.s, guest.pointer(0)));
}
Status sleep_clock(Guest& guest) {  // clock_nanosleep
  if (!reads_time(guest, guest.pointer(2))) return Status::Faulted;
  CallGuest& own = static_cast<CallGuest&>(guest);
  if (is_no_time(own.s, guest.pointer(2))) return models::done_int(guest, EINVAL);
  uint64_t wanted = nanoseconds_at(own.s, guest.pointer(2));
  if ((guest.argument(1) & 1) == 0) return sleep(own, wanted);
  if (wanted >= kEpochSeconds * kBillion) wanted -= kEpochSeconds * kBillion;
  const uint64_t now = own.s.clocks_.time(*own.t);
  return sleep(own, wanted > now ? wanted - now : 0);
}

}  // namespace heddle::machine
