// Long loops that come back to the same state although they store on the way: a counter that wraps around, a buffer that
// is filled again. Brent's cycle detection over back edges keeps one state, so it costs no memory per round.
// From: Brent 1980 (cycle detection).
#include <utility>

#include "server/machine/hashing.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

// How many back edges to follow one by one, by the slices of a loop so far. Few in comparison with what the slices ran.
uint32_t edges_at(uint32_t slices) {
  switch (slices) {
    case 7: return 1 << 11;
    case 11: return 1 << 14;
    case 16: return 1 << 16;
    case 40: return 1 << 18;
    default: return 0;
  }
}

}  // namespace

// All that decides what the thread does next, as long as no other thread takes a step.
uint64_t SpinDetection::state_alone(Thread& t) {
  t.frames_hash = 0;
  const uint64_t hash = combine(state_.thread_hash(t), memory_.hash());
  t.frames_hash = 0;
  return combine(combine(hash, state_.output_.size() + state_.errors_.size()),
                 uint64_t{t.stack_objects} << 32 | t.depth);
}

// To the next back edge, or to what stops the thread before.
Stop SpinDetection::follow_edge(Thread& t) {
  state_.fuel_ = 0;
  const Stop stop = state_.run_thread(t, state_.code_[t.pc].code);
  const auto used = static_cast<uint64_t>(-state_.fuel_ / kFuelPerOperation);
  root_.path_instructions += used;
  state_.instructions_ += used;
  return stop;
}

// Sets `stop` where the loop ends within these edges.
bool SpinDetection::comes_back(Thread& t, Stop& stop) {
  const uint32_t edges = edges_at(slices_);
  if (edges == 0) return false;
  const GuestMemory::Position before = memory_.count_changes();
  uint64_t anchor = state_alone(t);
  uint32_t power = 1, length = 0;
  bool found = false;
  for (uint32_t n = 0; n < edges && !found; ++n) {
    stop = follow_edge(t);
    if (stop != Stop::Loop) break;
    ++length;
    const uint64_t state = state_alone(t);
    found = state == anchor;
    if (found || length < power) continue;
    anchor = state;
    power *= 2;
    length = 0;
  }
  if (found) {  // once more, for what it reads
    t.spin.watches_ = t.spin.spin_pc_ = 0;
    recording_reads_ = true;
    for (uint32_t n = 0; n < length && stop == Stop::Loop; ++n) stop = follow_edge(t);
    recording_reads_ = false;
    found = stop == Stop::Loop && state_alone(t) == anchor;
  }
  memory_.end_counting(before);
  return found;
}

// It waits until another thread does something, if it reads what others can write; or it is an endless loop.
void SpinDetection::go_round_for_ever(Thread& t) {
  if (t.spin.spin_pc_ == 0 || state_.threads_.live() < 2) {
    state_.fault(t, FaultKind::EndlessLoop,
                 "loops for ever: it comes back to the same state and waits for no other thread");
    return;
  }
  t.spin.watches_ = 1;
  t.spin.watch_[0] = {0, root_.total_events - t.events, 0, kAnyEventWatch};
  wait_in_loop(t);
}

}  // namespace heddle::machine
