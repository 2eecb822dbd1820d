// Loops that change nothing, for searches in which a read may find an older store: there a second round reads nothing
// that the first could not have read. So a thread waits as soon as it comes back to an operation with the same live
// slots, locks and memory of its own, and what it has read is read again from another store. It waits where it holds
// no more than anywhere in the round. A path may have thousands of operations since the thread changed something: the
// walk back skips sections that do not have the place.
#include <algorithm>
#include <iterator>

#include "server/machine/hashing.h"
#include "server/machine/spin/retry.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

// As in a Fenwick tree, a section has as many steps as the lowest bit of the newest one's number says.
void begin_section(RoundStep& step) {
  constexpr uint32_t kStepsMost = 64;  // 32 places in a filter of 256 bits
  const RoundStep* const before = step.before;
  step.number = before != nullptr ? before->number + 1 : 1;
  step.newest_tried = step.tried ? &step : before != nullptr ? before->newest_tried : nullptr;
  RoundStep::Section& section = step.section;
  section = {};
  if (step.place != 0) section.places[step.place >> 62] = uint64_t{1} << (step.place >> 56 & 63);
  section.takes = step.takes;
  section.performed = step.place == 0;
  if (step.place == 0) section.least_held = static_cast<int64_t>(step.memory);
  const uint32_t steps = std::min(step.number & -step.number, kStepsMost);
  const RoundStep* older = before;
  while (older != nullptr && older->number > step.number - steps) {
    for (size_t n = 0; n < std::size(section.places); ++n) section.places[n] |= older->section.places[n];
    section.takes |= older->section.takes;
    section.performed |= older->section.performed;
    section.least_held = std::min(section.least_held, older->section.least_held);
    older = older->section.skip;
  }
  section.skip = older;
}

}  // namespace

void SpinDetection::note_in_round(Thread& t, bool takes, const Operation& op) {
  auto* const step = static_cast<RoundStep*>(state_.undo_.take(sizeof(RoundStep)));
  Watch read = watch_of(op).value_or(Watch{0, 0, 0, kAnyEventWatch});
  if (read.kind == kMemoryWatch && op.size <= 8) read.value = state_.peek(op.object, op.size);
  const auto held = static_cast<uint64_t>(int64_t{t.spin.held_});
  *step = {0, held, read, takes, op.kind == OperationKind::Sleep, t.spin.round_};
  note_retry(state_, t, op, *step);
  begin_section(*step);
  t.spin.round_ = step;
}

void SpinDetection::look_for_round(Thread& t) {
  if (!may_wait(t)) return;
  if (compare_memory_) hash_from_here();
  const uint64_t key = uint64_t{t.pc} << 1 | (t.phase == Phase::Wake || t.phase == Phase::FutexReturn);
  const uint64_t place =
      combine(combine(combine(key, t.depth), calls_hash(t)) ^ t.spin.balance_, state_.frames_hash(t)) | 1;
  const uint64_t memory = compare_memory_ ? written(t) : t.stores;
  bool takes = false, performed = false, least = true;
  for (const RoundStep *step = t.spin.round_, *next; step != nullptr; step = next) {
    if (!step->section_may_have(place)) {
      takes |= step->section.takes;
      performed |= step->section.performed;
      least = least && t.spin.held_ <= step->section.least_held;
      next = step->section.skip;
      continue;
    }
    next = step->before;
    takes |= step->takes;
    performed |= step->place == 0;
    least = least && (step->place != 0 || t.spin.held_ <= static_cast<int64_t>(step->memory));
    if (step->place != place || !performed) continue;
    if (!least) break;  // it would wait with a lock that the round gives back
    if (step->memory == memory) return wait_for_round(t, step, !takes);
    compare_memory_next_ = true;
  }
  auto* const step = static_cast<RoundStep*>(state_.undo_.take(sizeof(RoundStep)));
  *step = {place, memory, {}, false, false, t.spin.round_};
  begin_section(*step);
  t.spin.round_ = step;
}

// The thread has come back to where it stood at `begin`.
void SpinDetection::wait_for_round(Thread& t, const RoundStep* begin, bool reads_only) {
  t.spin.watches_ = 0;
  bool sleeps = false;
  for (const RoundStep* step = t.spin.round_; step != begin; step = step->before) {
    sleeps |= step->sleeps;
    if (step->place == 0 && step->read.kind != kAnyEventWatch && t.spin.watches_ < kWatchMost)
      add_watch(t, step->read.address, step->read.size, step->read.kind);
  }
  const bool looked = t.clock_reads != t.spin.reads_before_;
  if (t.spin.watches_ == 0 && sleeps && !looked) return sleep_for_ever(t);
  if (t.spin.watches_ == 0 && !looked) return;
  t.spinning = true;
  t.spin.undecided_ = looked;
  t.spin.reads_only_ = reads_only;
}

}  // namespace heddle::machine
