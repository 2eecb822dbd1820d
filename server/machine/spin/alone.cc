// A thread whose loop has gone round a thousand times while no other thread could run. If it only sleeps, it is parked:
// main of a server, say. If it tries again and again to take a lock, in rounds of any length, it is followed until it
// comes back to the same state: then it waits, and never gets what it waits for. Meanwhile time stands still, since its
// time was up in all rounds. Where it comes back to no state, the path ends as a limit.
// From: Brent 1980 (cycle detection).
#include "server/machine/hashing.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kOperationsAlone = 50'000;
constexpr uint64_t kInstructionsAlone = 20'000'000;
constexpr uint32_t kRoundsWithoutTry = 16;

bool is_try(OperationKind kind) {
  const Waiting waiting = waiting_of(kind);
  return waiting == Waiting::Tries || (waiting == Waiting::Timed && is_of_lock(kind));
}

}  // namespace

// Something else than the memory and the locks of the thread is another after it.
bool SpinDetection::changes_objects(const Event& done) {
  const OperationKind kind = done.operation.kind;
  const RoundEffect effect = traits_of(kind).round_effect;
  if (family_of(kind) == OperationFamily::Memory) return false;
  return effect == RoundEffect::Changes || (effect == RoundEffect::ChangesUnlessInVain && !done.failed);
}

// Exchanges and compare-exchanges take a lock if they would store something else than zero.
bool SpinDetection::tries_in_vain(const Thread& t) const {
  if (t.phase != Phase::Normal) return false;
  if (is_try(t.pending.kind)) return true;
  if (t.pending.kind != OperationKind::AtomicUpdate || state_.image_->code[t.pc].code != Code::VisibleAtomic)
    return false;
  const program::Instruction& i = state_.image_->program->instruction(state_.image_->address(t.pc));
  const uint64_t* const r = t.stack + t.fp;
  const bool exchange = i.op == program::Opcode::AtomicUpdate &&
                        static_cast<program::UpdateKind>(i.imm) == program::UpdateKind::Exchange && r[i.b] != 0;
  return (exchange || i.op == program::Opcode::CompareExchange) && state_.changes_nothing(t);
}

uint64_t SpinDetection::state_of_round(Thread& t) {
  return combine(combine(place_in_loop(t), live_hash(t)), combine(memory_.hash(), t.spin.balance_));
}

SpinDetection::Solitude SpinDetection::run_alone(Thread& t) {
  const uint64_t place = place_in_loop(t);
  Solitude course;
  uint64_t anchor = state_of_round(t);
  uint32_t power = 1, length = 0, rounds = 0;
  for (uint32_t n = 0; n < kOperationsAlone && !course.comes_back; ++n) {
    t.spinning = t.gives_way = t.spin.by_clock_ = false;
    course.ends = true;
    const uint32_t ways = goes_far(t.pending.kind) ? 0 : state_.alternatives(t);
    if (ways == 0 || (t.pending.compares && t.pending.second.bits != 0)) return course;
    const bool perhaps = tries_in_vain(t), waited = waiting_of(t.pending.kind) == Waiting::EndsWait;
    if (state_.perform_once(t.id, waited ? ways - 1 : 0) != Outcome::Running) return course;
    if (t.life != Life::Running || t.phase == Phase::SetAside) return course;
    course.ends = false;
    const Event& done = state_.events_.back();
    course.tries |= perhaps && (done.failed || done.operation.kind == OperationKind::AtomicUpdate);
    if (changes_objects(done)) return course;
    if (place_in_loop(t) == place && ++rounds >= kRoundsWithoutTry && !course.tries) return course;
    const uint64_t state = state_of_round(t);
    course.comes_back = state == anchor;
    if (++length < power) continue;
    anchor = state;
    power *= 2;
    length = 0;
  }
  return course;
}

SpinDetection::Solitude SpinDetection::follow_alone(Thread& t) {
  const bool looked = t.spin.times_ != 0 || state_.image_->reads_clock;
  Solitude course;
  take_back(t, looked ? state_.clocks_.time(t) + kLongest : 0, kInstructionsAlone, [&] {
    state_.clocks_.stop_time(true);
    const GuestMemory::Position before = memory_.count_changes();
    course = run_alone(t);
    memory_.end_counting(before);
    state_.clocks_.stop_time(false);
  });
  return course;
}

void SpinDetection::count_try(Thread& t) {
  const uint32_t others = root_.total_events - t.events;
  if (t.spin.tries_since_ != others) t.spin.tries_ = 0;
  t.spin.tries_since_ = others;
  ++t.spin.tries_;
}

bool SpinDetection::long_alone(const Thread& t) const {
  return t.spin.rounds_ > kRoundsAlone ||
         (t.spin.tries_ > kRoundsAlone && t.spin.tries_since_ == root_.total_events - t.events);
}

// At a pending operation; no other thread can run.
void SpinDetection::stay_alone(Thread& t) {
  const uint32_t others = root_.total_events - t.events;
  if (t.spin.hopeless_since_ != others + 1) {
    if (end_by_clock(t, true)) {
      t.spin.tries_ = 0;
      return;
    }
    const bool ends_by_clock = t.spin.times_since_ == others && t.spin.times_ >= kTimesAlone;
    const Solitude course = follow_alone(t);
    state_.touch_running(t);
    if (!course.tries && t.spin.rounds_ > kRoundsAlone) {
      if (!only_counts(t)) sleep_for_ever(t);
      return;
    }
    if (!course.tries || course.ends) {
      t.spin.rounds_ = t.spin.tries_ = 0;
      return;
    }
    if (!course.comes_back || ends_by_clock) {
      state_.fault(t, FaultKind::InstructionLimit,
                   "tries again and again while no other thread can run: that it gives up some time is not excluded");
      return;
    }
    t.spin.hopeless_since_ = others + 1;
  }
  if (!tries_in_vain(t)) return;
  t.gives_way = false;  // until another thread does something
}

}  // namespace heddle::machine
