#include "server/machine/sync/sync.h"

#include <algorithm>
#include <unordered_map>

#include "server/machine/hashing.h"
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/copies.h"
#include "server/machine/sync/time.h"
#include "server/program/operands.h"

namespace heddle::machine {
namespace {

int c11_code(int code) {
  constexpr int kSuccess = 0, kBusy = 1, kError = 2, kNoMemory = 3, kTimeout = 4;
  switch (code) {
    case 0: return kSuccess;
    case 16: return kBusy;
    case 12: return kNoMemory;
    case 110: return kTimeout;
    default: return kError;
  }
}

}  // namespace

SyncObject* Machine::State::find_sync(Pointer at) const {
  SyncObject* const found = sync_objects_.find(at);
  return found != nullptr && begins_anew_if_over(*found) ? nullptr : found;
}

SyncObject& Machine::State::sync_object(Pointer at, SyncKind kind) {
  SyncObject& found = sync_objects_.use(at);
  if (found.kind != kind || begins_anew_if_over(found)) {
    sync_objects_.begin(found, kind);
    Object& o = *memory_.find(at.bits);
    if (!(o.flags & kHasAtomics)) {  // so that the end of the object is noticed
      undo_.touch(o);
      o.flags |= kHasAtomics;
    }
  }
  if (kind == SyncKind::Mutex && found.owner == ThreadId::kNone && found.state == 0) {  // stored with an initialiser
    const uint64_t glibc_kind = peek({at.bits + 16}, 4);
    found.type = static_cast<uint8_t>((glibc_kind & kTypeMask) == kTypeMask ? 0 : glibc_kind & kTypeMask);
    found.type |= static_cast<uint8_t>(glibc_kind & (kRobust | kUntimed));
  }
  if (kind == SyncKind::ReadWriteLock && found.owner == ThreadId::kNone && found.count == 0)
    found.type = static_cast<uint8_t>(peek({at.bits + kReadWriteKind}, 4));
  return found;
}

// A location is new or grows: does it overlap others now?
void Machine::State::note_mixed_sizes(Pointer at, uint32_t size, const AtomicLocation& location) {
  Object& o = *memory_.find(at.bits);
  if (o.flags & kMixedAtomics) return;
  bool mixed = location.size != 0;
  atomics_.for_each(at.bits, std::min(size, kAtomicMost), [&](const AtomicLocation& l) {
    if (&l != &location) mixed |= l.address + l.size > at.bits;
    return !mixed;
  });
  if (!mixed) return;
  undo_.touch(o);
  o.flags |= kMixedAtomics;
}

AtomicLocation& Machine::State::make_atomic_location(Pointer at, uint32_t size) {
  AtomicLocation* found = atomics_.find_any(at);
  if (found == nullptr) found = &atomics_.add(at);
  if (found->size < size) {
    note_mixed_sizes(at, size, *found);
    undo_.touch(*found);
    if (found->size == 0) {
      found->release_clock = 0;
      found->head = ThreadId::kNone;
      found->writes = clocks_.make();
      found->writes_at = clocks_.make();
      found->reads = clocks_.make();
      found->reads_at = clocks_.make();
    }
    found->size = size;
  }
  return *found;
}

bool Machine::State::ends_in_use(Thread& t, uint32_t object, const char* verb) {
  const auto inside = [&](uint64_t address) { return address >> 32 == object; };
  const auto raise = [&](uint64_t address, uint32_t other, const char* use) {
    const std::string who = other == t.id ? "it" : thread_name(other);
    fault(t, FaultKind::LockMisuse, std::string(verb) + " " + name_of({address}, 1) + " while " + who + " " + use,
          {address}, 1);
    return true;
  };
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    const Thread* w = threads_[id];
    if (w == nullptr || w->life != Life::Running || w->id == t.id) continue;
    const bool waits = in_condition_wait(*w) || w->phase == Phase::FutexReturn || w->phase == Phase::BarrierLeave;
    if (waits && !w->woken && inside(w->waits_for)) return raise(w->waits_for, id, "waits for it");
  }
  for (const SyncObject* const known : sync_objects_.all()) {
    const SyncObject& s = *known;
    const bool lock = s.kind == SyncKind::Mutex || s.kind == SyncKind::SpinLock || s.kind == SyncKind::ReadWriteLock;
    if (lock && inside(s.address) && !s.destroyed && s.owner != ThreadId::kNone)
      return raise(s.address, s.owner, "holds it");
    const bool runs = s.kind == SyncKind::Once && s.type != kGuard && s.state != 0 && s.state != kOnceDone;
    if (runs && inside(s.address)) return raise(s.address, s.owner, "runs its initialiser");
  }
  return false;
}

uint64_t SyncCall::argument(uint32_t n) const {
  return n < info.site->arguments.size() ? thread.stack[thread.fp + info.site->arguments[n].slot] : 0;
}
uint32_t SyncCall::argument_count() const { return static_cast<uint32_t>(info.site->arguments.size()); }

void SyncCall::result(uint64_t bits, uint32_t part) {
  const Decoded& call = state.code_[thread.pc];
  if (part < call.width) thread.stack[thread.fp + call.dst + part] = bits;
}

bool SyncCall::result_is_used() const {
  const Decoded& made = state.code_[thread.pc];
  const program::Function& function = state.image_->program->function(state.image_->address(thread.pc).function);
  bool used = false;
  for (uint32_t n = state.image_->address(thread.pc).index + 1; n < function.code.size() && !used; ++n) {
    const program::Instruction& i = function.code[n];
    program::for_each_use(function, i, [&](program::Slot first, uint32_t count) {
      used = used || (made.dst >= first && made.dst < first + count);
    });
    const bool made_anew = program::opcode_info(i.op).dst == program::OperandRole::kDef && i.dst == made.dst;
    if (made_anew) break;
  }
  return made.width != 0 && used;
}

void SyncCall::error(int code) {
  if (code == kTimedOut) {
    time_is_up(*this);
    thread.paused = true;
  }
  result(static_cast<uint32_t>(row.c11 ? c11_code(code) : code));
}

bool SyncCall::misuse(const std::string& message) {
  return state.fault(thread, FaultKind::LockMisuse, message, operation.object);
}

bool SyncCall::read_written(Pointer from, void* to, uint32_t size) {
  if (!state.read(thread, from, to, size)) return false;
  Object& o = *state.memory_.find(from.bits);
  return o.init == nullptr || state.check_initialised(thread, o, from, size);
}

namespace {

const char* name_of_kind(SyncKind kind) {
  switch (kind) {
    case SyncKind::SpinLock: return "a spin lock";
    case SyncKind::ReadWriteLock: return "a reader-writer lock";
    case SyncKind::Condition: return "a condition variable";
    case SyncKind::Semaphore: return "a semaphore";
    case SyncKind::Barrier: return "a barrier";
    case SyncKind::Once: return "a once control";
    default: return "a mutex";
  }
}

// Zeros in its memory initialise it, too. Mutexes, semaphores and barriers are looked at where they are used.
bool lies_in_its_memory(SyncKind kind) {
  return kind == SyncKind::Condition || kind == SyncKind::ReadWriteLock || kind == SyncKind::Once;
}

// Who holds the object of the call, or waits for it: the end of a sentence; empty: no thread does. What was only not destroyed,
// and is not in use, is taken as it is: that works everywhere.
std::string use_of(const SyncCall& call, const SyncObject& s) {
  const Machine::State& state = call.state;
  const bool lock = s.kind == SyncKind::Mutex || s.kind == SyncKind::SpinLock || s.kind == SyncKind::ReadWriteLock;
  if (lock && s.owner != ThreadId::kNone) return ", which " + state.thread_name(s.owner) + " has locked";
  if (s.kind == SyncKind::ReadWriteLock && s.count != 0) return " while it is locked for reading";
  for (uint32_t id = 0; id < state.threads_.limit(); ++id) {
    const Thread* w = state.threads_[id];
    if (w == nullptr || w->life != Life::Running || w == &call.thread) continue;
    const bool in_wait = in_condition_wait(*w) || w->phase == Phase::BarrierLeave;
    const bool at_it =
        w->pending.object == call.operation.object &&
        (in_wait || (s.kind == SyncKind::Semaphore && s.count == 0 && w->pending.kind == OperationKind::SemaphoreWait));
    if (at_it) return " while " + state.thread_name(id) + " waits for it";
    if (in_condition_wait(*w) && w->waits_mutex == call.operation.object.bits)
      return " while " + state.thread_name(id) + " waits with it";
  }
  return {};
}

}  // namespace

SyncObject* SyncCall::object(SyncKind kind, uint32_t size) {
  if (state.readable(thread, operation.object, size, "uses") == nullptr) return nullptr;
  const SyncObject* const known = state.find_sync(operation.object);
  if (known != nullptr && known->kind != kind && known->kind != SyncKind::None && !known->destroyed) {
    if (const std::string use = use_of(*this, *known); !use.empty()) {
      misuse("uses " + state.name_of(operation.object, size) + ", " + name_of_kind(known->kind) + ", as " +
             name_of_kind(kind) + use);
      return nullptr;
    }
  }
  if (const std::string copy = copy_in_use(state, operation.object);
      !copy.empty() && row.kind != OperationKind::Initialise) {
    misuse("uses " + state.name_of(operation.object, size) + copy);
    return nullptr;
  }
  SyncObject& found = state.sync_object(operation.object, kind);
  if (found.destroyed && row.kind != OperationKind::Initialise) {
    misuse("uses " + state.name_of(operation.object, size) + " after it was destroyed");
    return nullptr;
  }
  if (row.kind != OperationKind::Initialise && lies_in_its_memory(kind)) {
    const Object& o = *state.memory_.find(operation.object.bits);
    if (!state.memory_.any_initialised(o, operation.object.offset(), size)) {
      misuse("uses " + state.name_of(operation.object, 1) + ", which was never initialised");
      return nullptr;
    }
  }
  const bool uses = row.kind != OperationKind::Initialise && found.initialised != 0;
  if (uses && !state.clocks_.ordered(found.initialised, thread)) {
    const uint32_t other = found.initialised >> 24, at = found.initialised_at;
    misuse("uses " + state.name_of(operation.object, size) + " while " + state.thread_name(other) +
           " initialises it, with nothing to order them");
    state.faults_.back().places.push_back(state.place_at(at, other, "initialised here"));
    return nullptr;
  }
  ++found.version;
  return &found;
}

void SyncCall::initialised(SyncObject& object) {
  object.initialised = state.clocks_.now(thread);
  object.initialised_at = thread.pc;
}

bool SyncCall::may_initialise() {
  const SyncObject* s = state.find_sync(operation.object);
  if (s == nullptr || s->kind == SyncKind::None || s->destroyed) return true;
  const std::string use = use_of(*this, *s);
  return use.empty() || misuse("initialises " + state.name_of(operation.object, 1) + use);
}

const VisibleRow* find_visible(std::string_view name) {
  static const auto* const table = [] {
    auto* rows = new std::unordered_map<std::string_view, const VisibleRow*>;
    for (const auto& part : {mutex_rows(), read_write_rows(), condition_rows(), semaphore_rows(), futex_rows(),
                             thread_rows(), cancel_rows(), atomic_rows(), guard_rows(), choice_rows(), signal_rows(),
                             signal_wait_rows(), timer_rows(), named_semaphore_rows(), outside_rows()})
      for (const VisibleRow& row : part) rows->emplace(row.name, &row);
    return rows;
  }();
  const auto found = table->find(name);
  return found == table->end() ? nullptr : found->second;
}

}  // namespace heddle::machine
