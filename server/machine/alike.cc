// States up to the names of threads that do the same: n workers of a pool are n! permutations of each state.
#include <algorithm>

#include "server/machine/hashing.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kSomeThread = 0xfffffff0;  // owner of a lock, one of those that are alike

// Of all threads that main creates at one place with one function. Main itself is like no other.
uint64_t kind_of(const Thread& t) {
  if (t.id == 0) return 1;
  return combine(combine(t.parent + 2, t.created_at), t.entry) | 1;
}

// What is in the variables of a thread, wherever they are. One whose address is known elsewhere says whose it is.
uint64_t own_variables(Machine::State& s, const Thread& t) {
  uint64_t hash = 0;
  const auto add = [&](uint32_t n) {
    const auto number = static_cast<uint32_t>(t.thread_locals[n] >> 32);
    if (number != 0) hash = combine(combine(hash, n), s.memory_.hash_of(0, s.memory_.at(number)));
  };
  for (const uint32_t global : s.image_->thread_local_globals) {
    add(global);
    s.asks_identity_ |= t.thread_locals[global] != 0 && s.decisive_->names_thread(global);
  }
  const uint32_t globals = s.image_->program->global_count();
  for (uint32_t n = 0; n < s.thread_objects_.size(); ++n) add(globals + n);
  return hash;
}

}  // namespace

// As frames_hash(), of the slots that decide something.
uint64_t Machine::State::decisive_frames(const Thread& t) {
  uint64_t hash = t.depth;
  bool returning = false;
  uint32_t fp = t.fp, pc = t.pc;
  while (true) {
    const uint64_t* const r = t.stack + fp;
    const auto function = static_cast<uint32_t>(r[-2]);
    hash = combine(hash, uint64_t{function} << 32 | pc);
    if (function == kNoFunction) {
      hash = combine(hash, frame_hash(t, fp, pc, returning));
    } else {
      hash = combine(hash, r[-4]);
      const Decoded& d = image_->code[pc];
      uint32_t index = image_->address(pc).index;
      if (d.code >= Code::LoadXL1 && d.code <= Code::StoreXS8) --index;  // the index belongs to the access
      const bool unwinds = returning && d.code >= Code::Call && d.code <= Code::CallIndirect &&
                           image_->calls[static_cast<size_t>(d.imm)].site->unwind != program::kNoUnwind;
      if (unwinds) return combine(hash, frames_hash(t));  // all that is live
      const uint32_t words = decisive_->words(function);
      const uint64_t* const live = decisive_->before(function, index + returning);
      for (uint32_t w = 0; w < words; ++w) {
        for (uint64_t bits = live[w]; bits != 0; bits &= bits - 1) {
          const uint32_t slot = w * 64 + static_cast<uint32_t>(__builtin_ctzll(bits));
          if (returning && d.width != 0 && slot >= d.dst && slot < d.dst + d.width) continue;
          hash = combine(combine(hash, slot), r[slot]);
        }
      }
    }
    const uint64_t link = r[-1];
    if (static_cast<uint32_t>(link) == 0) return hash;
    pc = static_cast<uint32_t>(link) - 1;
    returning = returns_to(t, fp, pc);
    fp = static_cast<uint32_t>(link >> 32);
  }
}

// What the hash of memory has of variables that decide nothing.
uint64_t Machine::State::idle_contents() const {
  uint64_t hash = 0;
  for (const uint32_t global : decisive_->idle_globals()) {
    const uint32_t number = image_->object_of_global(global);
    const Object& o = memory_.at(number);
    if (o.data == nullptr || o.size == 0 || o.write_size == 0) continue;
    hash ^= memory_.hash_of(number, o) ^ hash_birth(number, o.full_size);
  }
  return hash;
}

uint64_t Machine::State::hash_without_names(std::vector<uint64_t>& threads, bool main_joins) {
  complete_record();
  if (decisive_ == nullptr) decisive_ = std::make_unique<Decisive>(*image_);
  if (!memory_.hashed()) hash_all_memory(false);
  threads.assign(threads_.limit(), 0);
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    Thread* const t = threads_[id];
    if (t == nullptr || t->life == Life::None) continue;
    uint64_t hash = combine(kind_of(*t), static_cast<uint64_t>(t->life));
    if (t->life == Life::Ended) {
      hash = combine(combine(hash, t->result), t->heap_objects);
    } else if (id != 0 || !main_joins) {
      if (t->decisive_frames == 0) t->decisive_frames = decisive_frames(*t);
      hash = combine(combine(thread_state_hash(*t, hash), t->decisive_frames), own_variables(*this, *t));
      hash = combine(combine(hash, t->step_accesses), t->last_step);
      hash = combine(hash, alternatives(*t) != 0);
    }
    threads[id] = hash | 1;
  }
  uint64_t hash = memory_.hash() ^ idle_contents();
  for (const SyncObject* const known : sync_objects_.all()) {
    const SyncObject& s = *known;
    const bool owned = s.owner < threads_.limit() && s.owner != 0 && threads[s.owner] != 0;
    hash ^= sync_hash(s, owned ? kSomeThread : s.owner);
    if (owned) threads[s.owner] = combine(threads[s.owner], combine(s.address, s.locked_at)) | 1;
    if (s.owner == 0 && s.kind != SyncKind::None) hash ^= hash_word(combine(s.address, 10), s.locked_at);
  }
  uint64_t all = 0;  // a sum: the threads are a multiset
  for (const uint64_t one : threads) all += one == 0 ? 0 : mix(one);
  return combine(combine(hash, all), static_cast<uint64_t>(root_.exit_code) << 40 ^ uint64_t{root_.exiting} << 56 ^
                                         static_cast<uint64_t>(root_.outcome) << 60);
}

uint64_t Machine::hash_without_names(std::vector<uint64_t>& threads, bool main_joins) {
  return state_->hash_without_names(threads, main_joins);
}
bool Machine::asks_identity() const {
  return state_->asks_identity_ || state_->image_->reads_clock || state_->symbols_ != nullptr ||
         state_->image_->cancels || state_->image_->interrupts;
}

}  // namespace heddle::machine
