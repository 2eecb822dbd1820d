// What is checked when the process ends: threads that still run, heap blocks that nothing points to.
#include <algorithm>

#include "server/machine/state.h"

namespace heddle::machine {

void Machine::State::check_at_exit(Thread& t) {
  if (root_.discarded) return;
  for (uint32_t id = 1; id < root_.thread_limit; ++id) {
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
  if (options_.check_leaks && root_.heap_blocks != 0 && root_.live_threads <= 1) check_leaks(t);
}

// Conservative marking: every aligned word of a reachable object that looks like a pointer is one.
void Machine::State::check_leaks(Thread& t) {
  std::vector<uint32_t> work;
  std::vector<std::vector<bool>> reached(root_.thread_limit);
  for (uint32_t id = 0; id < root_.thread_limit; ++id)
    reached[id].resize(threads_[id] != nullptr && threads_[id]->life != Life::None ? threads_[id]->heap_objects : 0);
  const auto visit = [&](uint64_t word) {
    const uint32_t number = static_cast<uint32_t>(word >> 32);
    if (number < first_heap_object(0)) return;
    const uint32_t owner = (number >> kChunkBits) / kThreadChunks - 1;
    if (owner >= root_.thread_limit || number >= first_stack_object(owner)) return;
    const uint32_t index = number - first_heap_object(owner);
    if (index >= reached[owner].size() || reached[owner][index]) return;
    reached[owner][index] = true;
    work.push_back(number);
  };
  const auto scan = [&](const Object& o) {
    for (uint64_t at = 0; at + 8 <= o.size; at += 8) {
      uint64_t word;
      std::memcpy(&word, o.data + at, 8);
      if (word >> 32 != 0) visit(word);
    }
  };
  for (uint32_t number = 1; number < image_->objects.size(); ++number) {
    const Object& o = objects_.at(number);
    if (o.data != nullptr && o.kind != ObjectKindHost::Function) scan(o);
  }
  for (const HiddenObject& hidden : hidden_objects_)
    if (objects_.at(hidden.number).data != nullptr) scan(objects_.at(hidden.number));
  for (uint32_t id = 0; id < root_.thread_limit; ++id) {
    const Thread* other = threads_[id];
    if (other == nullptr || other->life == Life::None) continue;
    if (other->life != Life::Running || other->left) continue;  // what an ended thread kept for itself is lost
    const uint32_t slots = image_->program->global_count() + 16;
    for (uint32_t n = 0; n < slots; ++n) visit(other->thread_locals[n]);
    for (uint32_t n = 0; n < other->keys_capacity; ++n) visit(other->keys[n]);
    visit(other->start_state);
    for (uint32_t n = 0; n < other->top; ++n) visit(other->stack[n]);
    for (uint32_t n = 0; n < other->stack_objects; ++n) scan(objects_.at(first_stack_object(id) + n));
  }
  while (!work.empty()) {
    const uint32_t number = work.back();
    work.pop_back();
    scan(objects_.at(number));
  }
  std::vector<uint32_t> reported;
  for (uint32_t id = 0; id < root_.thread_limit; ++id) {
    for (uint32_t n = 0; n < reached[id].size(); ++n) {
      const Object& o = objects_.at(first_heap_object(id) + n);
      if (reached[id][n] || o.kind != ObjectKindHost::Heap || (o.flags & kFreed)) continue;
      const Pointer at = Pointer::make(first_heap_object(id) + n, 0);
      const uint32_t user = heap_sites_of(at.object()).made, made = user != 0 ? user : o.made_at;
      if (std::find(reported.begin(), reported.end(), made) != reported.end()) continue;
      reported.push_back(made);
      Fault fault;
      fault.kind = FaultKind::Leak;
      fault.thread = ThreadId(id);
      const std::string what = describe_object(at);
      fault.message = what + " is never " + (what.starts_with("mapping ") ? "unmapped" : "freed") +
                      " and nothing points to it any more";
      fault.subject = subject_of(at, 1);
      fault.address = at;
      fault.size = o.full_size;
      fault.places.push_back(place_at(o.made_at, o.made_by, "allocated here", heap_sites_of(at.object()).made));
      faults_.push_back(std::move(fault));
    }
  }
  (void)t;
}

}  // namespace heddle::machine
