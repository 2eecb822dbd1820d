// Time: every thread has a clock of its own, so that what it reads depends on no interleaving. It goes on with each
// reading, jumps when a wait times out or a sleep ends, starts at that of the creator and catches up at a join.
#include "server/machine/sync_time.h"

#include <algorithm>

#include "server/machine/model.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint64_t kBillion = 1'000'000'000;
constexpr uint64_t kSecondsMost = uint64_t{1} << 32;

uint64_t nanoseconds_at(const Machine::State& state, Pointer time) {
  const uint64_t seconds = state.peek(time, 8), rest = state.peek({time.bits + 8}, 8);
  return std::min(seconds, kSecondsMost) * kBillion + std::min(rest, kBillion);
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

void time_is_up(SyncCall& call, bool relative) {
  const Pointer at{call.argument(deadline_argument(call))};
  if (at.bits == 0) return;
  uint64_t deadline = nanoseconds_at(call.state, at);
  uint64_t& now = call.thread.ticks;
  if (relative) deadline += now;
  if (deadline >= kEpochSeconds * kBillion) deadline -= kEpochSeconds * kBillion;  // of the wall clock
  now = std::max(now, deadline);
}

bool is_bad_time(const SyncCall& call) {
  if (call.row.name.find("timed") == std::string_view::npos && call.row.name.find("_clock") == std::string_view::npos)
    return false;
  const Pointer at{call.argument(deadline_argument(call))};
  return at.bits != 0 && call.state.peek({at.bits + 8}, 8) >= kBillion;
}

Status sleep(CallGuest& guest, uint64_t nanoseconds) {
  guest.t->ticks += nanoseconds;
  guest.t->pause_hint = guest.t->paused = true;
  guest.result_int(0);
  return Status::Done;
}

Status sleep_seconds(Guest& guest) {
  return sleep(static_cast<CallGuest&>(guest), (guest.argument(0) & 0xffffffff) * kBillion);
}
Status sleep_microseconds(Guest& guest) {
  return sleep(static_cast<CallGuest&>(guest), (guest.argument(0) & 0xffffffff) * 1000);
}
Status sleep_time(Guest& guest) {  // nanosleep and thrd_sleep
  int64_t time[2];
  if (!guest.read(guest.pointer(0), time, sizeof time)) return Status::Faulted;
  CallGuest& own = static_cast<CallGuest&>(guest);
  return sleep(own, nanoseconds_at(own.s, guest.pointer(0)));
}
Status sleep_clock(Guest& guest) {  // clock_nanosleep
  int64_t time[2];
  if (!guest.read(guest.pointer(2), time, sizeof time)) return Status::Faulted;
  CallGuest& own = static_cast<CallGuest&>(guest);
  uint64_t wanted = nanoseconds_at(own.s, guest.pointer(2));
  if ((guest.argument(1) & 1) == 0) return sleep(own, wanted);
  if (wanted >= kEpochSeconds * kBillion) wanted -= kEpochSeconds * kBillion;
  return sleep(own, wanted > own.t->ticks ? wanted - own.t->ticks : 0);
}

}  // namespace heddle::machine
