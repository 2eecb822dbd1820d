// Loops that try a compare-exchange again with the value that the failed one returned, in execution graphs: the loop
// was entered with a loaded value, and the failed exchange is a load, too. If the thread stands where it would stand
// had it loaded that value before the loop, the round was in vain: another graph has that load. Found by running the
// thread again from after the load, with the value; what it does is taken back.
#include "server/machine/spin/retry.h"

#include <cstring>
#include <optional>

namespace heddle::machine {
namespace {

constexpr uint32_t kWordsMost = 4096;

// What a load of this order gives the thread.
int strength(MemoryOrder order) {
  return order == MemoryOrder::Relaxed ? 0 : order == MemoryOrder::SequentiallyConsistent ? 2 : 1;
}

struct Retry {
  const RoundStep* load = nullptr;
  const RoundStep* next = nullptr;  // the pending operation that followed the load
  const RoundStep* failed = nullptr;
};

// The newest access of the location must have failed; a load of the location before it in the round.
std::optional<Retry> find_retry(const Thread& t) {
  Retry retry;
  retry.failed = t.spin.round()->newest_tried;
  if (retry.failed == nullptr) return std::nullopt;
  const RoundStep* newer = retry.failed;
  for (const RoundStep* step = newer->before; step != nullptr; newer = step, step = step->before) {
    if (step->place != 0) continue;
    if (step->read.address != retry.failed->read.address || step->read.size != retry.failed->read.size) continue;
    if (step->tried) continue;
    if (step->loaded == nullptr || newer->place == 0) return std::nullopt;
    retry.load = step;
    retry.next = newer;
    return retry;
  }
  return std::nullopt;
}

struct Stand {
  uint64_t place = 0, memory = 0, stores = 0;
};

// Where the thread would stand; place 0: not at an operation that may wait.
Stand stand_after(Machine::State& s, Thread& t, const LoadedAt& from, uint64_t value) {
  const Mark mark = s.mark();
  s.touch_running(t);
  if (t.saved_from != 0) s.save_frame(t, kHeader);
  s.spin_.begin_step();
  const uint64_t stores = t.stores;
  const size_t faults = s.faults_.size();
  std::memcpy(t.stack, from.words, from.top * sizeof(uint64_t));
  t.pc = from.pc;
  t.fp = from.fp;
  t.top = from.top;
  t.depth = from.depth;
  t.stack[t.fp + s.image_->code[t.pc].dst] = value;
  t.spin.forget_round();
  t.spinning = false;
  ++t.pc;
  s.advance(t, s.code_[t.pc].code);
  Stand stand;
  if (!s.fault_raised_ && s.faults_.size() == faults && s.root_.outcome == Outcome::Running &&
      t.spin.round() != nullptr)
    stand = {t.spin.round()->place, t.spin.round()->memory, t.stores - stores};
  s.rewind(mark);
  s.spin_.begin_step();
  return stand;
}

}  // namespace

void note_retry(Machine::State& s, const Thread& t, const Operation& op, RoundStep& step) {
  const bool atomic = op.kind == OperationKind::AtomicRead || op.kind == OperationKind::AtomicUpdate;
  if (!atomic || op.size > 8 || t.phase != Phase::Normal || s.image_->code[t.pc].code != Code::VisibleAtomic) return;
  const program::Instruction& i = s.image_->program->instruction(s.image_->address(t.pc));
  step.tried = i.op == program::Opcode::CompareExchange;
  step.order = step.tried ? program::failure_order_of(i) : op.order;
  if (op.kind != OperationKind::AtomicRead || t.top > kWordsMost) return;
  auto* const loaded = static_cast<LoadedAt*>(s.undo_.take(sizeof(LoadedAt) + t.top * sizeof(uint64_t)));
  *loaded = {t.pc, t.fp, t.top, t.depth, t.stack_objects, t.stack_memory, t.stores};
  std::memcpy(loaded->words, t.stack, t.top * sizeof(uint64_t));
  step.loaded = loaded;
}

bool Machine::tries_again(ThreadId thread) {
  State& s = *state_;
  Thread& t = *s.threads_[thread.value];
  if (t.life != Life::Running || t.phase != Phase::Normal || s.root_.outcome != Outcome::Running) return false;
  if (t.spin.round() == nullptr || t.spin.round()->place == 0) return false;
  if (Symbols::any(s.symbols_.get())) return false;  // what was saved at the load has no expressions
  const std::optional<Retry> retry = find_retry(t);
  if (!retry || strength(retry->load->order) > strength(retry->failed->order)) return false;
  const LoadedAt& from = *retry->load->loaded;
  if (from.stack_objects != t.stack_objects || from.stack_memory != t.stack_memory) return false;
  const Stand here{t.spin.round()->place, t.spin.round()->memory, 0};
  const bool stored = from.stores != t.stores;
  if (stored && !s.spin_.compares_memory()) {
    s.spin_.want_memory();
    return false;
  }
  const Stand other = stand_after(s, t, from, retry->failed->read.value);
  if (other.place != here.place) return false;
  if (!stored) return other.stores == 0;
  // All that was stored since is stored again on the way from the load, at the same places.
  const Stand before = stand_after(s, t, from, retry->load->read.value);
  return other.memory == here.memory && before.place == retry->next->place && before.memory == retry->next->memory &&
         before.stores == other.stores;
}

}  // namespace heddle::machine
