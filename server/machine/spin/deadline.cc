// Loops that end by themselves: by their thread's clock, or by a count. A loop that looks at the clock while it waits
// is a wait with a time limit: it ends by what it waits for, or its time is up, in every order. What it waits for may
// be anything, so the machine tries: the thread runs on alone, with another time each, and everything is undone. The
// time that it is given is the least one by which it gets out, so that nothing takes longer than it has to. In the same
// way a loop that pauses is seen to end after a few more rounds; it need not give way then (pauses.cc).
#include <algorithm>

#include "server/machine/hashing.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kRoundsToLeave = 3;      // it may notice a round later that its time is up
constexpr uint32_t kOperationsTried = 256;  // after which a loop that was not met again is left
constexpr uint64_t kInstructionsTried = 1'000'000;
constexpr uint32_t kTimesMost = 3;  // that time passes so while another thread could run, and does not
constexpr uint32_t kLooksMost = 8;  // at the clock, in a loop that does not pause and changes something

bool ends_by_time(OperationKind kind) { return waiting_of(kind) == Waiting::EndsWait; }

}  // namespace

// What ends a thread or starts one is no part of waiting.
bool SpinDetection::goes_far(OperationKind kind) {
  return kind == OperationKind::Create || kind == OperationKind::ThreadExit || kind == OperationKind::ProcessExit ||
         kind == OperationKind::DataChoice;
}

uint64_t SpinDetection::place_in_loop(const Thread& t) const {
  return combine(uint64_t{t.pc} << 32 | t.depth << 1 | (t.phase == Phase::Wake || t.phase == Phase::FutexReturn),
                 calls_hash(t));
}

// Has it changed memory since its last operation, but for local variables of its own?
bool SpinDetection::has_written(const Thread& t) const {
  const std::span<const RecentAccess> all = state_.recent_.all();
  for (uint32_t n = t.recent_accesses; n != 0; n = all[n - 1].before)
    if (all[n - 1].write != 0 &&
        !state_.only_here(t, state_.memory_.at(Pointer{all[n - 1].pointer}.object()), all[n - 1].pointer))
      return true;
  return false;
}

// Runs the thread alone, its clock at `ticks` at least, and undoes what `run` does.
void SpinDetection::take_back(Thread& t, uint64_t ticks, uint64_t instructions, const std::function<void()>& run) {
  const uint64_t limit = state_.options_.instruction_limit;
  const std::set<CodeAddress> raced_with_reported = state_.raced_with_reported_;
  const Bounds bounds = bounds_;
  const bool looks_unordered = state_.looks_unordered_;
  const Mark start = state_.mark();
  state_.touch_running(t);
  state_.clocks_.reach_time(t, ticks);
  state_.options_.instruction_limit = std::min(limit, root_.path_instructions + instructions);
  following_ = true;
  run();
  following_ = false;
  state_.rewind(start);
  bounds_ = bounds;
  forget_step();
  state_.options_.instruction_limit = limit;
  state_.raced_with_reported_ = raced_with_reported;
  state_.looks_unordered_ = looks_unordered;
  state_.skip_record_ = false;
  state_.not_started_ = ThreadId::kNone;
}

// What it reads on the way is in watched_ then, if it is to be known.
SpinDetection::Course SpinDetection::follow(Thread& t, uint64_t ticks, uint32_t rounds_most) {
  Course course;
  take_back(t, ticks, kInstructionsTried, [&] { course = go_round(t, ticks, rounds_most); });
  return course;
}

SpinDetection::Course SpinDetection::go_round(Thread& t, uint64_t ticks, uint32_t rounds_most) {
  const uint64_t place = place_in_loop(t);
  if (ticks == 0) round_places_.clear();
  Course course;
  for (uint32_t n = 0; n < kOperationsTried; ++n) {
    if (goes_far(t.pending.kind)) break;
    if (t.gives_way) t.spin.watches_ = 0;
    t.spinning = t.gives_way = t.spin.by_clock_ = false;
    const uint32_t ways = state_.alternatives(t);
    if (t.pending.compares && t.pending.second.bits != 0) break;  // as a DataChoice
    const uint64_t at = place_in_loop(t);
    const bool known = std::find(round_places_.begin(), round_places_.end(), at) != round_places_.end();
    if (ticks == 0 && course.rounds == 0 && !known) round_places_.push_back(at);
    course.blocked = ways == 0 && known && (ticks != 0 || course.rounds != 0);  // within the loop
    if (ways == 0 || state_.perform_once(t.id, ends_by_time(t.pending.kind) ? ways - 1 : 0) != Outcome::Running) break;
    if (t.life != Life::Running || t.phase == Phase::SetAside) break;
    course.writes |= has_written(t) || t.spin.anchor_pc_ == 0;
    if (place_in_loop(t) != place) continue;
    state_.touch_running(t);
    if (++course.rounds == rounds_most) break;
    if (n + 1 == kOperationsTried) course.rounds = rounds_most;
  }
  if (course.rounds == 0) round_places_.clear();  // it never came back: these are no places of a loop
  watched_.assign(t.spin.watch_, t.spin.watch_ + t.spin.watches_);
  course.leaves = !course.blocked && course.rounds < rounds_most;
  return course;
}

// The least time at which the thread gets out of its loop; 0: the clock does not get it out.
uint64_t SpinDetection::deadline_of(Thread& t) {
  const uint64_t now = state_.clocks_.time(t);
  follow(t, 0, 1);
  if (!follow(t, now + kLongest, kRoundsToLeave).leaves) return 0;
  uint64_t early = now, late = now + kLongest;
  while (late - early > 1) {
    const uint64_t middle = early + (late - early) / 2;
    (follow(t, middle, kRoundsToLeave).leaves ? late : early) = middle;
  }
  return late;
}

// Its next operation comes when its time is up.
bool SpinDetection::end_by_clock(Thread& t, bool alone) {
  const uint32_t others = root_.total_events - t.events;
  const uint32_t times = t.spin.times_since_ == others ? t.spin.times_ : 0;
  if (times >= (alone ? kTimesAlone : kTimesMost)) return false;
  const uint64_t deadline = deadline_of(t);
  if (deadline == 0) return false;
  state_.touch_running(t);
  t.spin.times_ = times + 1;
  t.spin.times_since_ = others;
  t.spin.by_clock_ = true;
  t.spin.until_ = deadline;
  if (alone) t.spin.rounds_ = 0;
  stop_spinning(t);
  return true;
}

void SpinDetection::stop_spinning(Thread& t) {
  state_.touch_running(t);
  if (t.gives_way) t.spin.watches_ = 0;
  t.spinning = t.gives_way = false;
}

// A thread that looked at the clock without pausing, at a pending operation.
void SpinDetection::count_look(Thread& t) {
  const uint64_t place = place_in_loop(t);
  const uint32_t others = root_.total_events - t.events;
  if (t.spin.looks_since_ != others || t.spin.looks_ > 4 * kLooksMost) t.spin.looks_ = 0;
  if (t.spin.looks_ == 0) {
    t.spin.looks_at_ = place;
    t.spin.looks_since_ = others;
    t.spin.looks_ = 1;
  } else if (t.spin.looks_at_ == place && ++t.spin.looks_ >= kLooksMost) {
    t.spin.undecided_ = true;
  }
}

// A thread that would spin on: its loop may also wait for plain memory, which no operation of it reads. So it goes
// round once more, and what it reads then is watched as well. False: it gets out with the values as they are now.
bool SpinDetection::watch_plain_reads(Thread& t) {
  recording_reads_ = true;
  const Course round = follow(t, 0, 1);
  recording_reads_ = false;
  state_.touch_running(t);
  if (round.leaves) return false;
  if (round.blocked) return true;
  for (const Watch& seen : watched_)
    if (t.spin.watches_ != 0) add_watch(t, seen.address, seen.size, seen.kind);
  return t.spin.watches_ != 0;
}

// Between two steps: the thread has gone round a loop in which it waits. Does it continue, or wait for the others?
void SpinDetection::decide(Thread& t) {
  state_.touch_running(t);
  t.spin.undecided_ = false;
  const bool alone = !others_can_run(t), spins = t.spinning && !t.gives_way;
  if (!t.spinning) {  // it looks at the clock again and again, and the memory is another each time
    t.spin.looks_ = 0;
    const Course by_itself = follow(t, 0, kRoundsUnrolled);
    if (!by_itself.leaves && !by_itself.blocked && !by_itself.writes) end_by_clock(t, alone);
    return;
  }
  if (t.gives_way && alone) {  // it can continue; at last by the clock
    if (long_alone(t)) stay_alone(t);
    return;
  }
  const bool looked = t.clock_reads != t.spin.anchor_reads_;
  if (spins && !looked) {
    if (!watch_plain_reads(t)) stop_spinning(t);
    return;
  }
  if (spins || t.spin.rounds_ < kRoundsMost + kRoundsUnrolled) {
    const Course by_itself = follow(t, 0, kRoundsUnrolled);
    if (by_itself.leaves || (spins && by_itself.blocked)) {
      state_.touch_running(t);
      if (by_itself.rounds == 0) t.spin.rounds_ = 0;
      return stop_spinning(t);
    }
  }
  if (end_by_clock(t, alone)) return;
  state_.touch_running(t);
  if (!spins) return;
  if (only_sleeps(t)) bounds_.sleeps_for_ever = true;
  if (t.spin.watches_ == 0 || !watch_plain_reads(t)) t.spinning = false;
}

void SpinDetection::end_by_time(Thread& t) {
  t.spin.by_clock_ = false;
  state_.clocks_.reach_time(t, t.spin.until_);
  bounds_.pauses_bounded = true;
}

}  // namespace heddle::machine
