// What is checked when the process ends: threads that still run, heap blocks that nothing points to.
#include <algorithm>

#include "server/machine/state.h"

namespace heddle::machine {

namespace {

uint32_t owner_of(uint32_t block) { return (block >> kChunkBits) / kThreadChunks - 1; }

// Conservative marking: every word of a reachable object that looks like a pointer is one. `step`: between words, 8 if
// they are aligned; packed structures have others.
class Marking {
 public:
  Marking(Machine::State& s, uint64_t step) : s_(s), step_(step), reached_(s.threads_.limit()) {
    for (uint32_t id = 0; id < s.threads_.limit(); ++id)
      reached_[id].resize(s.threads_[id] != nullptr && s.threads_[id]->life != Life::None ? s.threads_[id]->heap_objects
                                                                                          : 0);
  }

  void visit(uint64_t word) {
    if (const uint32_t number = block_of(word); number != 0 && mark(number)) work_.push_back(number);
  }
  void scan(const Object& o) {
    each_word(o, [this](uint64_t word) { visit(word); });
  }
  // What it points to is reached, but nothing further; not itself.
  void mark_pointed_from(uint32_t from) {
    each_word(s_.memory_.at(from), [this, from](uint64_t word) {
      if (const uint32_t number = block_of(word); number != 0 && number != from) mark(number);
    });
  }
  void finish() {
    while (!work_.empty()) {
      const uint32_t number = work_.back();
      work_.pop_back();
      scan(s_.memory_.at(number));
    }
  }
  bool reached(uint32_t number) const {
    const uint32_t owner = owner_of(number);
    return reached_[owner][number - first_heap_object(owner)];
  }
  // Heap blocks that are not reached, in the order in which they were made.
  std::vector<uint32_t> lost() const {
    std::vector<uint32_t> out;
    for (uint32_t id = 0; id < s_.threads_.limit(); ++id)
      for (uint32_t n = 0; n < reached_[id].size(); ++n) {
        const Object& o = s_.memory_.at(first_heap_object(id) + n);
        if (!reached_[id][n] && o.kind == ObjectKindHost::Heap && (o.flags & kFreed) == 0)
          out.push_back(first_heap_object(id) + n);
      }
    return out;
  }

 private:
  template <typename F>
  void each_word(const Object& o, F use) const {
    const bool packed = o.kind == ObjectKindHost::Global || o.kind == ObjectKindHost::Heap;  // perhaps
    for (uint64_t at = 0; at + 8 <= o.size; at += packed ? step_ : 8) {
      uint64_t word;
      std::memcpy(&word, o.data + at, 8);
      const bool odd = at % 2 != 0 && static_cast<uint32_t>(word) == 0;  // there, only the beginning of a block counts
      if (word >> 32 != 0 && (at % 8 == 0 || odd)) use(word);
    }
  }
  // The block that it points into; 0: none.
  uint32_t block_of(uint64_t word) const {
    const auto number = static_cast<uint32_t>(word >> 32);
    if (number < first_heap_object(0)) return 0;
    const uint32_t owner = owner_of(number);
    if (owner >= s_.threads_.limit() || number >= first_stack_object(owner)) return 0;
    return number - first_heap_object(owner) < reached_[owner].size() ? number : 0;
  }
  bool mark(uint32_t number) {
    const uint32_t owner = owner_of(number), index = number - first_heap_object(owner);
    if (reached_[owner][index]) return false;
    reached_[owner][index] = true;
    return true;
  }

  Machine::State& s_;
  uint64_t step_;
  std::vector<std::vector<bool>> reached_;
  std::vector<uint32_t> work_;
};

// Of blocks that are lost, those that no other one leads to; of a ring of them, the first.
std::vector<uint32_t> lost_by_themselves(Machine::State& s, const Marking& marking) {
  const std::vector<uint32_t> lost = marking.lost();
  if (lost.size() <= 1) return lost;
  Marking pointed(marking), below(marking);
  for (const uint32_t number : lost) pointed.mark_pointed_from(number);
  std::vector<uint32_t> out;
  const auto take = [&](uint32_t number) {
    out.push_back(number);
    below.visit(uint64_t{number} << 32);
    below.finish();
  };
  for (const uint32_t number : lost)
    if (!pointed.reached(number)) take(number);
  for (const uint32_t number : lost)
    if (!below.reached(number)) take(number);
  return out;
}

Marking mark_all(Machine::State& s, uint64_t step) {
  Marking marking(s, step);
  for (uint32_t number = 1; number < s.image_->objects.size(); ++number) {
    const Object& o = s.memory_.at(number);
    if (o.data != nullptr && o.kind != ObjectKindHost::Function) marking.scan(o);
  }
  for (const GuestMemory::Hidden& hidden : s.memory_.hidden())
    if (s.memory_.at(hidden.number).data != nullptr) marking.scan(s.memory_.at(hidden.number));
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {
    const Thread* other = s.threads_[id];
    if (other == nullptr || other->life == Life::None) continue;
    if (other->life != Life::Running || other->left) continue;  // what an ended thread kept for itself is lost
    const uint32_t slots = s.image_->program->global_count() + kThreadObjects;
    for (uint32_t n = 0; n < slots; ++n) marking.visit(other->thread_locals[n]);
    for (uint32_t n = 0; n < other->keys_capacity; ++n) marking.visit(other->keys[n]);
    marking.visit(other->start_state);
    for (uint32_t n = 0; n < other->top; ++n) marking.visit(other->stack[n]);
    for (uint32_t n = 0; n < other->stack_objects; ++n) marking.scan(s.memory_.at(first_stack_object(id) + n));
  }
  marking.finish();
  return marking;
}

void check_leaks(Machine::State& s) {
  if (mark_all(s, 8).lost().empty()) return;
  const Marking marking = mark_all(s, 1);
  std::vector<uint32_t> reported;
  for (const uint32_t number : lost_by_themselves(s, marking)) {
    const Object& o = s.memory_.at(number);
    const Pointer at = Pointer::make(number, 0);
    const uint32_t user = s.heap_sites_.of(number).made, made = user != 0 ? user : o.made_at;
    if (std::find(reported.begin(), reported.end(), made) != reported.end()) continue;
    reported.push_back(made);
    Fault fault;
    fault.kind = FaultKind::Leak;
    fault.thread = ThreadId(owner_of(number));
    const std::string what = s.describe_object(at);
    fault.message = what + " is never " + (what.starts_with("mapping ") ? "unmapped" : "freed") +
                    " and nothing points to it any more";
    fault.subject = s.subject_of(at, 1);
    fault.address = at;
    fault.size = o.full_size;
    fault.places.push_back(s.place_at(o.made_at, o.made_by, "allocated it here", s.heap_sites_.of(number).made));
    s.faults_.push_back(std::move(fault));
  }
}

}  // namespace

void Machine::State::check_at_exit(Thread& t) {
  if (root_.discarded) return;
  for (uint32_t id = 1; id < threads_.limit(); ++id) {
    const Thread* other = threads_[id];
    if (other == nullptr || other->life != Life::Running || other->detached || id == t.id) continue;
    Fault fault;
    fault.kind = FaultKind::ThreadLeak;
    fault.thread = ThreadId(id);
    fault.message = thread_name(id) + " still runs when the process ends";
    fault.subject = image_->program->stable_name(program::FunctionId(other->entry));
    // One that has not begun stands nowhere yet.
    if (const FaultPlace at = place_of(*other, "still runs here"); at.at.function.valid()) fault.places.push_back(at);
    fault.places.push_back(place_of_creation(*other, "created here"));
    faults_.push_back(std::move(fault));
  }
  if (options_.check_leaks && memory_.heap_blocks() != 0 && threads_.live() <= 1) check_leaks(*this);
}

}  // namespace heddle::machine
