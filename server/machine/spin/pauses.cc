// Threads that pause: those that sleep, or have waited until a time limit. In a loop they could do so any number of
// times, each time with another clock, and no state would ever come back. So the scheduler is fair to the others: who
// has gone round such a loop kRoundsMost times while no other thread ran gives way, as long as another thread can
// on; where none can, it stands still after kRoundsAlone rounds. The verdict says so (Machine::pauses_bounded(),
// sleeps_for_ever()). Yielding is different: loops that yield are bounded most often, and what comes after them has to
// be reached while the others stand still.
// From: Musuvathi and Qadeer, Fair stateless model checking, PLDI 2008 (a yield lets the others run first).
#include "server/machine/hashing.h"
#include "server/machine/spin/counted_rounds.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kSlicesAlone = 100;  // of many rounds each: what step.cc runs before it looks for a loop
constexpr uint64_t kNowhere = 1;        // Thread::paused_at of a loop that has no scheduling point
constexpr uint32_t kPlacesMost = 8;     // where a loop may pause in one round

}  // namespace

// At a pending operation. True: the thread performs it at once and continues.
bool SpinDetection::pass_pause(Thread& t) {
  if (state_.options_.exact_spins) {  // each read is an event of its own
    t.paused = false;
    return false;
  }
  if (!t.paused) {
    const bool looked = t.clock_reads != t.spin.reads_before_;  // at the clock: the next look is another
    if (looked && state_.options_.detect_spins && !t.spinning) count_look(t);
    const bool hinted = t.pause_hint && t.pending.kind == OperationKind::AtomicRead;
    const bool on = hinted || (reads_on(t) && (rereads_ != 0 || !rounds_decide(state_, t)));
    if (!looked && on && read_again(t)) return true;
    if (tries_on(t)) {
      count_try(t);
      wait_for_others(t);
    }
    give_way(t);
    return false;
  }
  t.paused = false;
  if (!state_.options_.detect_spins) return false;
  if (!stored_since_pause(t) && t.clock_reads == t.spin.reads_before_ && t.pause_hint &&
      t.pending.kind == OperationKind::AtomicRead && read_again(t))
    return true;
  count_round(t);
  give_way(t);
  return false;
}

// Loops that look at a word a thousand times before they wait, or try in vain to change it: after kSameReadsMost times
// it is as if they paused, if they store what only they see after more.
bool SpinDetection::reads_on(const Thread& t) const {
  if (t.spinning) return false;
  return t.spin.same_reads_ >= (t.stores == t.spin.stores_at_pause_ ? kSameReadsMost : kSameReadsStoring);
}

// The same where they try to take a lock or a semaphore, and count how often.
bool SpinDetection::tries_on(const Thread& t) const {
  if (t.spin.same_reads_ < kSameReadsMost || t.spinning) return false;
  return waiting_of(t.pending.kind) == Waiting::Tries &&
         combine(t.pending.at.bits(), t.pending.object.bits) == t.last_step;
}

// A round goes from a place to the same place.
void SpinDetection::count_round(Thread& t) {
  const uint64_t place = place_in_loop(t);
  const uint32_t others = root_.total_events - t.events;
  const bool stale = t.spin.rounds_since_ != others || t.spin.pauses_ >= kPlacesMost;
  if (place == t.spin.paused_at_ && t.spin.rounds_since_ == others) {
    if (t.spin.rounds_ < kRoundsMost + kRoundsUnrolled || (t.spin.held_ == 0 && !others_can_run(t))) ++t.spin.rounds_;
    t.spin.pauses_ = 0;
  } else if (stale) {
    t.spin.paused_at_ = place;
    t.spin.rounds_since_ = others;
    t.spin.rounds_ = t.spin.pauses_ = 0;
  } else {
    ++t.spin.pauses_;
  }
}

// Who has gone round too often does so at each operation until another thread has gone on: it may hold a lock at this
// one, and give it back before the next.
void SpinDetection::give_way(Thread& t) {
  const uint32_t others = root_.total_events - t.events;
  if (t.spin.rounds_ < kRoundsMost || t.spin.rounds_since_ != others || t.spinning || state_.section_owner() == t.id)
    return;
  wait_for_others(t);
}

void SpinDetection::wait_for_others(Thread& t) {
  t.spinning = t.gives_way = t.spin.undecided_ = true;
  t.spin.anchor_pc_ = 0;
  t.spin.anchor_hashed_ = false;
  t.spin.watches_ = 1;
  t.spin.watch_[0] = {0, root_.total_events - t.events, 0, kAnyEventWatch};
}

void SpinDetection::sleep_for_ever(Thread& t) {
  bounds_.sleeps_for_ever = true;
  state_.stand_still(t, state_.image_->address(t.pc));
}

// A loop without scheduling points that sleeps, and changes something in each round: the others run before it. Where
// none can, it is alone from now on; if it does not come to an end soon, it counts as one that sleeps for ever.
bool SpinDetection::sleep_on(Thread& t) {
  const uint32_t others = root_.total_events - t.events;
  if (t.spin.paused_at_ != kNowhere || t.spin.rounds_since_ != others) {
    t.spin.paused_at_ = kNowhere;
    t.spin.rounds_since_ = others;
    t.spin.rounds_ = t.spin.pauses_ = 0;
  }
  if (++t.spin.rounds_ > kSlicesAlone) {
    sleep_for_ever(t);
    return true;
  }
  t.paused = false;
  stand_back(t);
  return true;
}

// In the middle of its invisible work, until another thread has gone on.
void SpinDetection::stand_back(Thread& t) {
  t.phase = Phase::SpinRead;
  t.pending = {};
  t.pending.kind = OperationKind::Yield;
  t.pending.thread = ThreadId(t.id);
  t.pending.at = state_.image_->address(t.pc);
  wait_for_others(t);
  t.spin.undecided_ = false;
}

// Is memory another since the thread's last pause?
bool SpinDetection::stored_since_pause(Thread& t) {
  if (t.stores == t.spin.stores_at_pause_) return false;
  t.spin.stores_at_pause_ = t.stores;
  const bool known = memory_.hashed();
  hash_from_here();
  const uint64_t memory = written(t);
  const bool changed = !known || memory != t.spin.written_at_pause_;
  t.spin.written_at_pause_ = memory;
  return changed;
}

// Can another thread run, apart from those that give way as well?
bool SpinDetection::others_can_run(const Thread& t) {
  for (uint32_t id = 0; id < state_.threads_.limit(); ++id) {
    Thread* const other = state_.threads_[id];
    if (other == nullptr || id == t.id || other->life != Life::Running) continue;
    if (other->gives_way && still_spinning(*other)) continue;
    if (state_.alternatives(*other) != 0) return true;
  }
  return false;
}

bool SpinDetection::gives_way(const Thread& t) {
  if (!others_can_run(t)) return false;
  bounds_.pauses_bounded = true;
  return true;
}

// After a pause the thread reads what it has just read, changed no memory, and no thread ran in between: the value is
// the same. A change in between is the same as one before the first read, but for rounds that are counted in registers,
// so it is no scheduling point: spinning for a while costs nothing.
// A thread that spins on, even if it counts its rounds, waits. True: the thread continues after the read.
bool SpinDetection::read_again(Thread& t) {
  constexpr uint32_t kRereadsMost = 100'000, kRereadsCounted = 12'000, kRereadsFollowed = 64;
  const OperationKind kind = t.pending.kind;
  const bool plain = kind == OperationKind::Read && state_.code_[t.pc].code == Code::VisibleAccess &&
                     state_.image_->code[t.pc].code != Code::MemoryCopy &&
                     state_.image_->code[t.pc].code != Code::CallBuiltin;
  const bool atomic =
      state_.code_[t.pc].code == Code::VisibleAtomic &&
      (kind == OperationKind::AtomicRead || (kind == OperationKind::AtomicUpdate && state_.changes_nothing(t)));
  if (t.spinning || t.phase != Phase::Normal || (!plain && !atomic) || just_read_ == 0 ||
      t.pending.object.bits != just_read_ || !state_.options_.detect_spins)
    return false;
  const bool counted = !t.pause_hint;  // its rounds are bounded by us
  bounds_.pauses_bounded |= counted;
  if (++rereads_ <= 2 && !bounds_.pauses_bounded) {  // a counter in a register: other rounds are left out
    const uint64_t frames = state_.frames_hash(t);
    bounds_.pauses_bounded = rereads_ == 2 && frames != reread_frames_;
    reread_frames_ = frames;
  }
  constexpr uint32_t kRereadsPerHash = 64;
  bool same = false;
  if (rereads_ % kRereadsPerHash == 0) {  // stores that change nothing hide from look_for_spin
    hash_from_here();
    const uint64_t hash = memory_.hash() ^ state_.frames_hash(t);
    same = rereads_ > kRereadsPerHash && hash == reread_hash_;
    reread_hash_ = hash;
  }
  const uint32_t most = following_ ? kRereadsFollowed : counted ? kRereadsCounted : kRereadsMost;
  if (!same && rereads_ > most && t.stores != t.spin.stores_at_pause_) {
    wait_for_others(t);
    t.spin.undecided_ = false;
    return false;
  }
  if (same || rereads_ > most) {
    t.spin.watches_ = 0;
    add_watch(t, just_read_, t.pending.size, kMemoryWatch);
    t.spinning = t.spin.undecided_ = true;
    return false;
  }
  t.pause_hint = false;
  if (plain) {
    note_visible(t, true, t.pending);
    pass_access_ = true;
    return true;
  }
  Event event;
  state_.perform_atomic(t, event);
  if (state_.fault_raised_) return false;
  note_visible(t, true, t.pending);
  ++t.pc;
  return true;
}

}  // namespace heddle::machine
