// What is checked when the process ends: threads that still run, heap blocks that nothing points to.
#include <algorithm>

#include "server/machine/state.h"

namespace heddle::machine {

namespace {

// Conservative marking: every aligned word of a reachable object that looks like a pointer is one.
class LeakCheck {
 public:
  explicit LeakCheck(Machine::State& state) : s_(state), reached_(state.root_.thread_limit) {
    for (uint32_t id = 0; id < reached_.size(); ++id)
      if (const Thread* t = s_.threads_[id]; t != nullptr && t->life != Life::None)
        reached_[id].resize(t->heap_objects);
  }

  void mark() {
    for (uint32_t number = 1; number < s_.image_->objects.size(); ++number) {
      const Object& o = s_.objects_.at(number);
      if (o.data != nullptr && o.kind != ObjectKindHost::Function) scan(o);
    }
    for (const Machine::State::HiddenObject& hidden : s_.hidden_objects_)
      if (const Object& o = s_.objects_.at(hidden.number); o.data != nullptr) scan(o);
    for (uint32_t id = 0; id < s_.root_.thread_limit; ++id) {
      const Thread* t = s_.threads_[id];
      // What an ended thread kept for itself is lost.
      if (t != nullptr && t->life == Life::Running && !t->left) mark_thread(*t);
    }
    while (!work_.empty()) {
      const uint32_t number = work_.back();
      work_.pop_back();
      scan(s_.objects_.at(number));
    }
  }

  // One for each place that allocates.
  void report() {
    std::vector<uint32_t> reported;
    for (uint32_t id = 0; id < s_.root_.thread_limit; ++id) {
      for (uint32_t n = 0; n < reached_[id].size(); ++n) {
        const uint32_t number = first_heap_object(id) + n;
        const Object& o = s_.objects_.at(number);
        if (reached_[id][n] || o.kind != ObjectKindHost::Heap || (o.flags & kFreed)) continue;
        const uint32_t user = s_.heap_sites_of(number).made, made = user != 0 ? user : o.made_at;
        if (std::find(reported.begin(), reported.end(), made) != reported.end()) continue;
        reported.push_back(made);
        s_.faults_.push_back(fault_of(ThreadId(id), Pointer::make(number, 0), o));
      }
    }
  }

 private:
  void mark_thread(const Thread& t) {
    const uint32_t slots = s_.image_->program->global_count() + kThreadObjects;
    for (uint32_t n = 0; n < slots; ++n) visit(t.thread_locals[n]);
    for (uint32_t n = 0; n < t.keys_capacity; ++n) visit(t.keys[n]);
    visit(t.start_state);
    for (uint32_t n = 0; n < t.top; ++n) visit(t.stack[n]);
    for (uint32_t n = 0; n < t.stack_objects; ++n) scan(s_.objects_.at(first_stack_object(t.id) + n));
  }

  void scan(const Object& o) {
    for (uint64_t at = 0; at + 8 <= o.size; at += 8) {
      uint64_t word;
      std::memcpy(&word, o.data + at, 8);
      if (word >> 32 != 0) visit(word);
    }
  }

  void visit(uint64_t word) {
    const uint32_t number = static_cast<uint32_t>(word >> 32);
    if (number < first_heap_object(0)) return;
    const uint32_t owner = (number >> kChunkBits) / kThreadChunks - 1;
    if (owner >= s_.root_.thread_limit || number >= first_stack_object(owner)) return;
    const uint32_t index = number - first_heap_object(owner);
    if (index >= reached_[owner].size() || reached_[owner][index]) return;
    reached_[owner][index] = true;
    work_.push_back(number);
  }

  Fault fault_of(ThreadId thread, Pointer at, const Object& o) const {
    Fault fault;
    fault.kind = FaultKind::Leak;
    fault.thread = thread;
    const std::string what = s_.describe_object(at);
    fault.message = what + " is never " + (what.starts_with("mapping ") ? "unmapped" : "freed") +
                    " and nothing points to it any more";
    fault.subject = s_.subject_of(at, 1);
    fault.address = at;
    fault.size = o.full_size;
    fault.places.push_back(s_.place_at(o.made_at, o.made_by, "allocated here", s_.heap_sites_of(at.object()).made));
    return fault;
  }

  Machine::State& s_;
  std::vector<std::vector<bool>> reached_;  // ThreadId -> of its heap objects
  std::vector<uint32_t> work_;              // numbers of objects that were reached and not scanned
};

}  // namespace

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
  if (options_.check_leaks && root_.heap_blocks != 0 && root_.live_threads <= 1) {
    LeakCheck leaks(*this);
    leaks.mark();
    leaks.report();
  }
}

}  // namespace heddle::machine
