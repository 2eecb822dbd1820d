// The lifetime of synchronisation objects. The memory of a destroyed object, and of a once control that ran, carries a
// mark, as glibc's does: who stores zeros there (an initialiser, a constructor, memset) begins a new object. Whatever
// else stands there later is no object that was initialised, so the old state stays.
// From: POSIX.1-2017 (static initialisers, pthread_mutex_destroy), C++20 [thread.mutex.requirements].
#include "server/machine/state.h"
#include "server/machine/sync/copies.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kMarkSize = 4;
constexpr uint8_t kOnceRuns = 1;  // SyncObject::state
constexpr uint32_t kDestroyedMark = 0xffffffff, kOnceMark = 2, kCopyMark = 0xfffffffe;

bool is_lock(SyncKind kind) {
  return kind == SyncKind::Mutex || kind == SyncKind::SpinLock || kind == SyncKind::ReadWriteLock;
}

bool runs_initialiser(const SyncObject& s) {
  return s.kind == SyncKind::Once && s.type != kGuard && s.state == kOnceRuns;
}

bool is_in_use(const Machine::State& state, const SyncObject& s) {
  if (s.kind != SyncKind::Condition) return is_lock(s.kind) && (s.owner != ThreadId::kNone || s.count != 0);
  for (uint32_t id = 0; id < state.threads_.limit(); ++id) {
    const Thread* w = state.threads_[id];
    if (w != nullptr && w->life == Life::Running && in_condition_wait(*w) && w->waits_for == s.address) return true;
  }
  return false;
}

}  // namespace

void mark_copied_locks(const Machine::State& state, Object& target, Pointer to, Pointer from, uint64_t size) {
  for (const SyncObject* const known : state.sync_objects_.all()) {
    const SyncObject& s = *known;
    if (s.address < from.bits || s.address + kMarkSize > from.bits + size || s.destroyed) continue;
    if (!is_in_use(state, s)) continue;
    std::memcpy(target.data + to.offset() + (s.address - from.bits), &kCopyMark, kMarkSize);
  }
}

std::string copy_in_use(const Machine::State& state, Pointer at) {
  return state.peek(at, kMarkSize) == kCopyMark ? ", which is a copy of one that was in use" : "";
}

// Of the kinds with an initialiser that is stored: semaphores and barriers begin with a call.
void Machine::State::mark_memory(const SyncObject& s) {
  Object& o = *memory_.find(s.address);
  const uint32_t offset = static_cast<uint32_t>(s.address);
  const uint32_t value = s.kind == SyncKind::Once ? kOnceMark : kDestroyedMark;
  before_store(o, s.address, offset, kMarkSize);
  std::memcpy(o.data + offset, &value, kMarkSize);
  after_store(o, s.address, offset, kMarkSize, false);
}

bool Machine::State::begins_anew(const SyncObject& s) const {
  const bool guard = s.kind == SyncKind::Once && s.type == kGuard;  // its byte is the compiler's
  if (guard || bytes_of(s.kind) == 0) return false;
  return peek({s.address}, kMarkSize) == 0;
}

// A plain store to a lock: a race with who gave it back without being ordered before, a misuse while it is held.
void Machine::State::overwrites_sync(Thread& t, uint64_t pointer, uint64_t size) {
  for (const SyncObject* const known : sync_objects_.all()) {
    const SyncObject& s = *known;
    if (!(is_lock(s.kind) || runs_initialiser(s)) || s.destroyed || s.address >= pointer + size ||
        s.address + bytes_of(s.kind) <= pointer)
      continue;
    if (t.pending.kind == OperationKind::Initialise && t.pending.object.bits == s.address) continue;  // may_initialise
    const Clock& mine = clocks_.at(t.clock);
    const Object& o = *memory_.find(pointer);
    // In a heap block the operations are noted as atomic reads: see use_synchronisation.
    for (uint32_t u = 0; u < threads_.limit() && s.clock != 0 && o.kind != ObjectKindHost::Heap; ++u)
      if (u != t.id && clocks_.at(s.clock).at[u] > mine.at[u])
        report_race(t, pointer, static_cast<uint32_t>(size), "writes", u, s.locked_at, "locks");
    if (s.owner == ThreadId::kNone) continue;
    const std::string who = s.owner == t.id ? "it" : thread_name(s.owner);
    const std::string begin = "overwrites " + name_of({s.address}, 1);
    const std::string end =
        s.kind == SyncKind::Once ? " while " + who + " runs its initialiser" : ", which " + who + " has locked";
    fault(t, FaultKind::LockMisuse, begin + end, {s.address}, 1);
    return;
  }
}

// A lock that another thread constructs, assigns or clears, with nothing to order the two.
void Machine::State::check_use_of_sync(Thread& t, const Object& o, Pointer at) {
  const Clock& mine = clocks_.at(t.clock);
  for_each_granule(o.shadow, o.shadow_shift, at.offset(), uint64_t{at.offset()} + kMarkSize,
                   [&](const ShadowCell& cell, uint32_t, uint32_t) {
                     const uint32_t e = cell.write_epoch, other = e >> 24;
                     if (e == 0 || other == t.id || mine.at[other] >= (e & 0xffffff)) return true;
                     report_race(t, at.bits, kMarkSize, "uses", other, cell.write_at, "writes");
                     return false;
                   });
}

}  // namespace heddle::machine
