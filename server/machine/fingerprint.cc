// Hash of everything the future depends on. Memory is kept incrementally once it was asked for (GuestMemory::hashed); threads
// and synchronisation objects are hashed when asked, live slots only.
#include <algorithm>

#include "server/machine/hashing.h"
#include "server/machine/library/model.h"
#include "server/machine/state.h"
#include "server/program/operands.h"

namespace heddle::machine {

using program::Function;
using program::FunctionId;
using program::Instruction;

// Live-in sets of a function, one bit set per instruction; backward data flow until nothing changes.
const std::vector<uint64_t>& Machine::State::live_slots(uint32_t function) {
  if (liveness_.empty()) liveness_.resize(image_->function_count());
  std::vector<uint64_t>& live = liveness_[function];
  if (!live.empty()) return live;
  const Function& f = image_->program->function(FunctionId(function));
  const uint32_t words = image_->functions[function].frame_slots / 64 + 1;
  const uint32_t size = static_cast<uint32_t>(f.code.size());
  live.assign(size_t{size} * words + words, 0);
  std::vector<uint64_t> now(words);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t at = size; at-- > 0;) {
      const Instruction& i = f.code[at];
      std::fill(now.begin(), now.end(), 0);
      const auto join = [&](uint32_t from) {
        for (uint32_t w = 0; w < words; ++w) now[w] |= live[size_t{from} * words + w];
      };
      program::for_each_target(f, i, join);
      if (!program::is_terminator(i.op) && at + 1 < size) join(at + 1);
      program::for_each_definition(f, i, [&](program::Slot first, uint32_t count) {
        for (uint32_t n = first; n < first + count; ++n) now[n / 64] &= ~(uint64_t{1} << (n % 64));
      });
      program::for_each_use(f, i, [&](program::Slot first, uint32_t count) {
        for (uint32_t n = first; n < first + count; ++n) now[n / 64] |= uint64_t{1} << (n % 64);
      });
      uint64_t* const old = live.data() + size_t{at} * words;
      if (!std::equal(now.begin(), now.end(), old)) {
        std::copy(now.begin(), now.end(), old);
        changed = true;
      }
    }
  }
  return live;
}

// `returning`: the frame waits for the call at pc, whose result is not there yet.
uint64_t Machine::State::frame_hash(const Thread& t, uint32_t fp, uint32_t pc, bool returning) {
  const uint64_t* const r = t.stack + fp;
  const uint32_t function = static_cast<uint32_t>(r[-2]);
  uint64_t hash = combine(uint64_t{fp} << 32 | pc, function);
  if (function == kNoFunction) {
    if (fp != kHeader)
      for (uint32_t n = 0; n < kModelSlots; ++n) hash = combine(hash, r[n]);
    return hash;
  }
  hash = combine(hash, r[-4]);
  const std::vector<uint64_t>& live = live_slots(function);
  const uint32_t words = image_->functions[function].frame_slots / 64 + 1;
  const Decoded& d = image_->code[pc];
  uint32_t index = image_->address(pc).index;
  if (d.code >= Code::LoadXL1 && d.code <= Code::StoreXS8) --index;  // the index belongs to the access
  if (returning) ++index;
  // The call may also end in its landing pad.
  uint32_t pad = program::kNoUnwind;
  if (returning && d.code >= Code::Call && d.code <= Code::CallIndirect)
    pad = image_->calls[static_cast<size_t>(d.imm)].site->unwind;
  for (uint32_t w = 0; w < words; ++w) {
    const uint64_t thrown = pad == program::kNoUnwind ? 0 : live[size_t{pad} * words + w];
    for (uint64_t bits = live[size_t{index} * words + w] | thrown; bits != 0; bits &= bits - 1) {
      const uint32_t slot = w * 64 + static_cast<uint32_t>(__builtin_ctzll(bits));
      if (returning && d.width != 0 && slot >= d.dst && slot < d.dst + d.width) continue;
      hash = combine(hash, r[slot]);
    }
  }
  return hash;
}

// Is the frame below the one at `fp` in a call? Or interrupted before the operation at `pc`.
bool Machine::State::returns_to(const Thread& t, uint32_t fp, uint32_t pc) const {
  const bool interrupted = static_cast<uint32_t>(t.stack[fp - 2]) == kNoFunction &&
                           t.stack[fp - 4] == reinterpret_cast<uint64_t>(&interruption_model);
  return pc > kBuiltinReturnCode && !interrupted;
}

// A frame stays as it is while others lie on top of it, so each keeps the hash of those below.
uint64_t Machine::State::frames_hash(const Thread& t) {
  uint64_t hash = 1;
  unhashed_.clear();
  for (uint32_t fp = t.fp; static_cast<uint32_t>(t.stack[fp - 1]) != 0;
       fp = static_cast<uint32_t>(t.stack[fp - 1] >> 32)) {
    hash = t.stack[fp - 6];
    if (hash != 0) break;
    unhashed_.push_back(fp);
    hash = 1;
  }
  for (auto fp = unhashed_.rbegin(); fp != unhashed_.rend(); ++fp) {
    const uint64_t link = t.stack[*fp - 1];
    const uint32_t pc = static_cast<uint32_t>(link) - 1;
    hash = combine(hash, frame_hash(t, static_cast<uint32_t>(link >> 32), pc, returns_to(t, *fp, pc))) | 1;
    t.stack[*fp - 6] = hash;
  }
  return combine(hash, frame_hash(t, t.fp, t.pc, false));
}

// Of a running thread, but for its frames.
uint64_t Machine::State::thread_state_hash(const Thread& t, uint64_t name) {
  uint64_t hash = combine(name, thread_flags(t));
  hash = combine(combine(hash, uint64_t{t.children} << 32 | t.heap_objects), clocks_.time(t));
  hash = spin_.hash(t, hash);
  if (t.unwinding) hash = combine(hash, t.exception);
  if (t.start_state != 0) hash = combine(hash, t.start_state);
  if (in_condition_wait(t)) hash = combine(combine(hash, t.waits_for), t.waits_mutex);
  if (t.cleanup != 0) hash = combine(hash, t.cleanup);
  if (t.phase == Phase::FutexReturn) hash = combine(combine(hash, t.waits_for), t.waits_since);
  if (t.phase == Phase::BarrierLeave) {
    const SyncObject* b = find_sync(t.pending.object);
    hash = combine(hash, b != nullptr && b->generation == t.waits_since);
  }
  for (uint32_t n = 0; n < t.keys_capacity; ++n) hash ^= hash_word(n, t.keys[n]);
  return hash;
}

uint64_t Machine::State::thread_flags(const Thread& t) {
  return static_cast<uint64_t>(t.life) | static_cast<uint64_t>(t.phase) << 8 | uint64_t{t.detached} << 16 |
         uint64_t{t.joined} << 17 | uint64_t{t.woken} << 18 | uint64_t{t.timed} << 19 | uint64_t{t.exiting} << 20 |
         uint64_t{t.spinning} << 21 | uint64_t{t.keys_looked_at} << 40 | uint64_t{t.cancel_requested} << 32 |
         uint64_t{t.cancel_disabled} << 33 | uint64_t{t.ending} << 34 | uint64_t{t.ends_process} << 35 |
         uint64_t{t.perhaps_late} << 36 | uint64_t{t.handler_in_wait} << 37 | uint64_t{t.defers_signal} << 38 |
         uint64_t{t.deferrals} << 56;
}

uint64_t Machine::State::thread_hash(Thread& t) {
  if (t.life == Life::Ended)
    return combine(combine(combine(t.id + 1, thread_flags(t)), t.joined ? 0 : t.result), t.heap_objects);
  const uint64_t hash = thread_state_hash(t, t.id + 1);
  if (t.frames_hash == 0) t.frames_hash = frames_hash(t);
  return combine(hash, t.frames_hash);
}

uint64_t Machine::State::sync_hash(const SyncObject& s, uint32_t owner) const {
  const bool idle = s.owner == ThreadId::kNone && s.count == 0 && s.arrived == 0 && s.state == 0 && !s.destroyed;
  if (s.kind == SyncKind::None || begins_anew_if_over(s)) return 0;
  uint64_t unordered = 0;  // threads that must not use it yet: they do not come after its initialisation
  for (uint32_t id = 0; id < threads_.limit() && s.initialised != 0; ++id) {
    const Thread* t = threads_[id];
    if (t != nullptr && t->life == Life::Running && !clocks_.ordered(s.initialised, *t))
      unordered ^= hash_word(combine(s.address, 11), id);
  }
  if (idle) return unordered;
  uint64_t hash =
      unordered ^ combine(s.address, static_cast<uint64_t>(s.kind) | uint64_t{s.type} << 8 |
                                         uint64_t{s.destroyed} << 16 | uint64_t{s.state} << 24 | uint64_t{owner} << 32);
  hash = combine(hash, uint64_t{s.count} << 32 | s.arrived);
  if (s.readers != 0) hash ^= clocks_.hash(s.readers, s.address);
  return hash;
}

void Machine::State::hash_all_memory(bool shadow) {
  uint64_t memory = 0, cells = 0;
  const auto add = [&](uint32_t number, bool whole) {
    const Object& o = memory_.at(number);
    if (o.data == nullptr) return;
    if (o.kind == ObjectKindHost::Constant || o.kind == ObjectKindHost::Function) return;
    if (o.size != 0)
      memory ^= whole ? memory_.hash_of(number, o) : memory_.hash_of(number, o) ^ hash_birth(number, o.full_size);
    else if (!whole && (o.flags & kReturned))
      memory ^= hash_birth(number, o.full_size);  // of a thread that has ended: what its birth left out
    if (shadow && o.shadow != nullptr) cells += shadow_.hash_of(number, o);
  };
  for (uint32_t number = 1; number < image_->objects.size(); ++number) add(number, false);
  for (const auto& [number, made_hash] : memory_.hidden()) {
    const Object& o = memory_.at(number);
    if (o.write_size == 0) continue;
    memory ^= memory_.hash_of(number, o) ^ made_hash;  // made on demand: only changes count
    if (shadow && o.shadow != nullptr) cells += shadow_.hash_of(number, o);
  }
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    const Thread* t = threads_[id];
    if (t == nullptr || t->life == Life::None) continue;
    for (uint32_t n = 0; n < t->heap_objects; ++n)
      add(first_heap_object(id) + n, memory_.at(first_heap_object(id) + n).kind != ObjectKindHost::Hidden);
    for (uint32_t n = 0; n < t->stack_objects; ++n) add(first_stack_object(id) + n, true);
  }
  memory_.begin_hash(memory);
  if (shadow) shadow_.begin_hash(cells);
}

uint64_t Machine::State::fingerprint(bool with_clocks) {
  complete_record();
  if (!memory_.hashed() || (with_clocks && !shadow_.hashed())) hash_all_memory(with_clocks);
  uint64_t hash = memory_.hash();
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    Thread* t = threads_[id];
    if (t != nullptr && t->life != Life::None) hash ^= thread_hash(*t);
  }
  for (const SyncObject* const s : sync_objects_.all()) hash ^= sync_hash(*s, s->owner);
  if (image_->reads_clock) hash = combine(hash, hash_of_time());
  if (HEDDLE_UNLIKELY(symbols_ != nullptr)) hash = combine(hash, symbols_->hash());
  hash = combine(hash, static_cast<uint64_t>(root_.exit_code) << 40 ^ uint64_t{root_.exiting} << 56 ^
                           static_cast<uint64_t>(root_.outcome) << 60);
  if (!with_clocks) return hash;
  uint64_t clocks = shadow_.hash();
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    const Thread* t = threads_[id];
    if (t == nullptr || t->life == Life::None) continue;
    clocks ^= clocks_.hash(t->clock, combine(id, 1)) ^ clocks_.hash(t->acquire_clock, combine(id, 2)) ^
              clocks_.hash(t->release_clock, combine(id, 3));
  }
  for (const SyncObject* const known : sync_objects_.all()) {
    const SyncObject& s = *known;
    if (s.kind != SyncKind::None)
      clocks ^= clocks_.hash(s.clock, combine(s.address, 4)) ^ clocks_.hash(s.second_clock, combine(s.address, 5));
  }
  for (const AtomicLocation* const known : atomics_.all()) {
    const AtomicLocation& l = *known;
    if (l.size != 0 && l.release_clock != 0 && image_->relaxed_stores) {
      clocks ^= hash_word(combine(l.address, 12), l.head);
      for (uint32_t id = 0; id < threads_.limit() && l.head == kSeveral; ++id)
        clocks ^= clocks_.hash(clocks_.at(l.heads).at[id], combine(combine(l.address, 13), id));
    }
    if (l.size != 0)
      clocks ^= clocks_.hash(l.release_clock, combine(l.address, 6)) ^ clocks_.hash(l.writes, combine(l.address, 7)) ^
                clocks_.hash(l.reads, combine(l.address, 8));
  }
  return combine(hash, clocks);
}

// A race is between the last step of one thread and the next step of another: see server/explore/state_search.h.
uint64_t Machine::State::recent_hash() const {
  uint64_t hash = 0;
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    const Thread* t = threads_[id];
    if (t != nullptr && t->life != Life::None)
      hash ^= hash_word(combine(id, 9), combine(t->step_accesses, t->last_step));
  }
  for (const SyncObject* const known : sync_objects_.all()) {
    const SyncObject& s = *known;
    if (s.kind != SyncKind::None && s.owner != ThreadId::kNone) hash ^= hash_word(combine(s.address, 10), s.locked_at);
  }
  return hash;
}

}  // namespace heddle::machine
