// Loops that change nothing. A thread that comes back to an operation with the same live slots in all its frames,
// without a store and with the same locks, would do so for ever: it waits until something it has read changes.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "server/machine/hashing.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

// One of Reads, Takes, Gives and Changes.
RoundEffect effect_of(OperationKind kind, bool in_vain) {
  const RoundEffect effect = traits_of(kind).round_effect;
  switch (effect) {
    case RoundEffect::TakesUnlessInVain: return in_vain ? RoundEffect::Reads : RoundEffect::Takes;
    case RoundEffect::TakesIfInVain: return in_vain ? RoundEffect::Takes : RoundEffect::Changes;
    case RoundEffect::ChangesUnlessInVain: return in_vain ? RoundEffect::Reads : RoundEffect::Changes;
    default: return effect;
  }
}

// In execution graphs a store has a place of its own among the others' stores. It changes nothing only if it stores
// what the thread saw there last.
bool stores_again(Machine::State& s, const Thread& t, const Operation& op) {
  if (op.size > 8) return false;
  for (const RoundStep* step = t.spin.round(); step != nullptr; step = step->before) {
    const Watch& seen = step->read;
    if (step->place == 0 && seen.kind == kMemoryWatch && seen.address == op.object.bits && seen.size == op.size)
      return seen.value == s.peek(op.object, op.size);
  }
  return false;
}

}  // namespace

// A round of waiting passes through at least one of these.
bool SpinDetection::may_wait(const Thread& t) const {
  if (t.pending.kind != OperationKind::AtomicUpdate) return traits_of(t.pending.kind).in_waiting;
  const program::Instruction& i = state_.image_->program->instruction(t.pending.at);
  return i.op != program::Opcode::AtomicUpdate ||
         static_cast<program::UpdateKind>(i.imm) == program::UpdateKind::Exchange;
}

// Where the functions on the stack were called: all loads of a std::atomic stand at one place, in the library.
uint64_t SpinDetection::calls_hash(const Thread& t) const {
  constexpr int kCallsMost = 16;
  uint64_t hash = 0;
  uint32_t fp = t.fp;
  for (int n = 0; n < kCallsMost && static_cast<uint32_t>(t.stack[fp - 1]) != 0;
       ++n, fp = static_cast<uint32_t>(t.stack[fp - 1] >> 32))
    hash = combine(hash, static_cast<uint32_t>(t.stack[fp - 1]));
  return hash;
}

// What a watch compares: the value there, or the expressions if inputs decide what it is. Memory that is gone has no
// value: the thread continues, and its next read is the fault.
uint64_t SpinDetection::watched(uint64_t address, uint32_t size) {
  constexpr uint64_t kGone = 0xd1b54a32d192ed03;  // a value that no program waits for
  size = std::min<uint32_t>(size, 8);
  const Pointer at{address};
  if (uint64_t{at.offset()} + size > state_.memory_.find(address)->size) return kGone;
  if (HEDDLE_UNLIKELY(Symbols::any(state_.symbols_.get())) && state_.symbols_->any_in(address, size))
    return state_.symbols_->hash_of_bytes(address, size);
  return state_.peek({address}, size);
}

// Of the slots in all frames of the thread, and what they depend on.
uint64_t SpinDetection::live_hash(Thread& t) {
  const uint64_t hash = state_.frames_hash(t);
  return HEDDLE_UNLIKELY(Symbols::any(state_.symbols_.get())) ? combine(hash, state_.symbols_->hash_of_slots(t.id))
                                                              : hash;
}

void SpinDetection::add_watch(Thread& t, uint64_t address, uint32_t size, uint32_t kind) {
  uint64_t value = 0;
  if (kind == kMemoryWatch) {
    value = watched(address, size);
  } else if (kind == kSynchronisationWatch) {
    const SyncObject* s = state_.find_sync({address});
    value = s == nullptr ? 0 : s->version;
  } else if (kind == kAnyEventWatch) {
    value = root_.total_events - t.events;
  }
  for (uint32_t n = 0; n < t.spin.watches_; ++n) {
    Watch& w = t.spin.watch_[n];
    if (w.kind == kAnyEventWatch) return;
    if (w.kind != kind || w.address != address || w.size != size) continue;
    if (kind == kMemoryWatch && w.value != value) {  // another thread wrote it in the middle of the round: no round yet
      t.spin.anchor_pc_ = 0;
      t.spin.anchor_hashed_ = false;
      t.spin.watches_ = 0;
      return;
    }
    w.value = value;
    return;
  }
  if (t.spin.watches_ == kWatchMost) {  // too many to name: any step of another thread will do, from now on
    if (!still_spinning(t)) {           // and there was one that counts
      t.spin.anchor_pc_ = 0;
      t.spin.anchor_hashed_ = false;
      t.spin.watches_ = 0;
      return;
    }
    t.spin.watches_ = 1;
    t.spin.watch_[0] = {0, root_.total_events - t.events, 0, kAnyEventWatch};
    return;
  }
  t.spin.watch_[t.spin.watches_++] = {address, value, size, kind};
}

void SpinDetection::note_visible(Thread& t, bool failed, const Operation& op) {
  if (!state_.options_.detect_spins) return;
  // A question about unknown data that the path has answered changes nothing, and reads nothing.
  if (state_.options_.exact_spins && op.kind == OperationKind::DataChoice && std::has_single_bit(op.second.bits))
    return;
  const bool stores = state_.options_.exact_spins && op.kind == OperationKind::AtomicWrite;
  const RoundEffect effect = effect_of(op.kind, stores ? stores_again(state_, t, op) : failed);
  if (effect == RoundEffect::Changes) {
    t.spin.round_ = nullptr;
    if (stores) note_in_round(t, false, op);
    t.spin.anchor_pc_ = 0;
    t.spin.anchor_hashed_ = false;
    t.spin.watches_ = 0;
    return;
  }
  if (effect == RoundEffect::Takes) {
    ++t.spin.held_;
    t.spin.balance_ += mix(op.kind == OperationKind::Wake ? op.second.bits : op.object.bits);
  }
  if (effect == RoundEffect::Gives) {
    --t.spin.held_;
    t.spin.balance_ -= mix(op.kind == OperationKind::Wait ? op.second.bits : op.object.bits);
    if (t.spin.held_ < t.spin.held_low_) t.spin.held_low_ = t.spin.held_;
  }
  if (state_.options_.exact_spins) return note_in_round(t, effect != RoundEffect::Reads, op);
  const bool ends_by_signal = op.interruptible && op.kind == OperationKind::Sleep;
  if (op.cancellable || ends_by_signal) add_watch(t, 0, 0, kCancellationWatch);
  if (const std::optional<Watch> watch = watch_of(op)) add_watch(t, watch->address, watch->size, watch->kind);
}

std::optional<Watch> SpinDetection::watch_of(const Operation& op) {
  switch (traits_of(op.kind).watched) {
    case Watched::Memory: return Watch{op.object.bits, 0, op.size, kMemoryWatch};
    case Watched::Object: return Watch{op.object.bits, 0, 0, kSynchronisationWatch};
    case Watched::Second: return Watch{op.second.bits, 0, 0, kSynchronisationWatch};
    case Watched::AnyEvent: return Watch{0, 0, 0, kAnyEventWatch};
    case Watched::Nothing: break;
  }
  return std::nullopt;
}

void SpinDetection::hash_from_here() {
  if (memory_.hashed()) return;
  state_.hash_all_memory(false);
  step_hash_ = memory_.hash();  // nothing was counted before
}

// Brent's cycle detection over pending operations: the anchor moves when the number of steps since reaches the next
// power of two, to a place where the thread holds no more than the round gives back.
void SpinDetection::look_for_spin(Thread& t) {
  if (!state_.options_.detect_spins || (t.spin.anchor_pc_ == 0 && !may_wait(t))) return;
  if (state_.options_.exact_spins) return look_for_round(t);
  const uint32_t key = t.pc << 1 | (t.phase == Phase::Wake || t.phase == Phase::FutexReturn);
  const bool unchanged =
      t.spin.anchor_hashed_ ? t.spin.anchor_written_ == written(t) : t.spin.anchor_stores_ == t.stores;
  const bool here =
      t.spin.anchor_pc_ == key && t.spin.anchor_depth_ == t.depth && t.spin.anchor_calls_ == calls_hash(t);
  if (here && unchanged && t.spin.anchor_balance_ == t.spin.balance_ && t.spin.held_ <= t.spin.held_low_) {
    const uint64_t hash = live_hash(t);
    if (hash == t.spin.anchor_hash_) {
      const bool looked = t.clock_reads != t.spin.anchor_reads_;
      if (t.spin.watches_ != 0 || looked) t.spinning = t.spin.undecided_ = true;
      if (only_sleeps(t) && !looked) bounds_.sleeps_for_ever = true;
      return;
    }
    t.spin.anchor_left_ = 0;
  }
  if (t.spin.anchor_pc_ != 0 && t.spin.anchor_left_ > 0) --t.spin.anchor_left_;
  if (!may_wait(t)) return;
  const bool stored = !t.spin.anchor_hashed_ && t.spin.anchor_stores_ != t.stores;
  const bool stale = t.spin.anchor_pc_ == 0 || t.spin.anchor_left_ == 0 || stored;
  if (!stale) return;
  if (t.spin.anchor_pc_ != 0 &&
      t.spin.held_ > t.spin.held_low_) {  // inside a round; or what it holds now it holds all the time
    if (++t.spin.anchor_passed_ < 2 * t.spin.anchor_power_) return;
    t.spin.anchor_passed_ = 0;
    t.spin.held_low_ = t.spin.held_;
    if (t.spin.anchor_power_ < 1024) t.spin.anchor_power_ *= 2;
    return;
  }
  t.spin.anchor_passed_ = 0;
  if (t.spin.anchor_hashed_) {  // no round after all
    t.spin.patience_ = std::min<uint32_t>(2 * t.spin.patience_ + 8, 1 << 20);
    t.spin.unsuspected_ = t.spin.patience_;
  }
  if (t.spin.anchor_pc_ == 0 || stored)
    t.spin.anchor_power_ = 1;
  else if (t.spin.anchor_power_ < 1024)
    t.spin.anchor_power_ *= 2;
  t.spin.anchor_left_ = t.spin.anchor_power_;
  t.spin.anchor_pc_ = key;
  t.spin.anchor_calls_ = calls_hash(t);
  t.spin.anchor_hashed_ = false;
  t.spin.anchor_stores_ = t.stores;
  t.spin.anchor_reads_ = t.clock_reads;
  t.spin.anchor_balance_ = t.spin.balance_;
  t.spin.anchor_depth_ = t.depth;
  t.spin.anchor_hash_ = live_hash(t);
  t.spin.held_low_ = t.spin.held_;
  t.spin.watches_ = 0;
  if (stored) suspect_round(t, key, t.spin.anchor_hash_);
}

// The usual loop of compare_exchange in C++ stores what it expects, again and again the same. If the thread comes back
// to an operation with the same slots and locks, memory is hashed from there on, and the next round shows.
void SpinDetection::suspect_round(Thread& t, uint32_t key, uint64_t hash) {
  constexpr uint32_t kRounds = 3;  // of as many operations as are remembered
  if (t.spin.unsuspected_ > 0) {
    --t.spin.unsuspected_;
    return;
  }
  const uint64_t place = mix(hash ^ mix(uint64_t{key} << 32 | t.depth) ^ t.spin.balance_);
  const bool seen = std::find(std::begin(t.spin.recent_), std::end(t.spin.recent_), place) != std::end(t.spin.recent_);
  t.spin.recent_[t.spin.recent_next_++ % kRecentMost] = place;
  if (!seen) return;
  hash_from_here();
  t.spin.anchor_hashed_ = true;
  t.spin.anchor_written_ = written(t);
  t.spin.anchor_left_ = t.spin.anchor_power_ = kRounds * kRecentMost;
}

// What a loop reads is what it waits for, and its first read is where.
void SpinDetection::note_read(Thread& t, uint64_t pointer, uint64_t size, uint32_t pc) {
  if (round_reads_ != nullptr)
    return add_read(*round_reads_, {pointer, 0, static_cast<uint32_t>(std::min<uint64_t>(size, 8)), kMemoryWatch});
  if (t.spin.watches_ == 0) t.spin.spin_pc_ = pc;
  add_watch(t, pointer, static_cast<uint32_t>(std::min<uint64_t>(size, 8)), kMemoryWatch);
}

// Until it is cancelled, where it could be cancelled.
bool SpinDetection::only_sleeps(const Thread& t) const {
  return t.spinning && t.pending.kind == OperationKind::Sleep && t.spin.watches_ == 1 &&
         t.spin.watch_[0].kind == kCancellationWatch;
}

bool SpinDetection::still_spinning(Thread& t) {
  if (state_.options_.exact_spins && t.spin.reads_only_ && !t.gives_way)
    return true;  // until it reads from another store
  if ((t.phase == Phase::Wake || t.phase == Phase::FutexReturn) && t.woken) return false;
  for (uint32_t n = 0; n < t.spin.watches_; ++n) {
    const Watch& w = t.spin.watch_[n];
    if (w.kind == kMemoryWatch && watched(w.address, w.size) != w.value) return false;
    if (w.kind == kCancellationWatch && t.cancel_requested) return false;
    if (w.kind == kAnyEventWatch && root_.total_events - t.events != w.value) return false;
    if (w.kind == kSynchronisationWatch) {
      const SyncObject* s = state_.find_sync({w.address});
      if (s != nullptr && s->version != w.value) return false;
    }
  }
  return true;
}

// A loop without scheduling points that does nothing but look at the clock: time goes faster for it.
void SpinDetection::pass_time(Thread& t) {
  constexpr uint64_t kMillisecond = 1'000'000;
  const uint64_t stores = t.stores - std::exchange(slice_stores_, t.stores);
  const uint32_t reads = t.clock_reads - std::exchange(slice_reads_, t.clock_reads);
  if (reads == 0 || stores > reads) return;
  state_.clocks_.reach_time(t, state_.clocks_.time(t) + (kMillisecond << 2 * std::min<uint32_t>(slices_, 12)));
  bounds_.pauses_bounded = true;
}

// A thread that has run for long without a scheduling point, or has used up half of the numbers of its heap blocks:
// what it waits for may be plain memory. The others run before it, if they can.
bool SpinDetection::run_on(Thread& t) {
  constexpr uint64_t kLong = 32'000'000;
  constexpr uint32_t kManyBlocks = (kHeapChunks << kChunkBits) / 2;
  const bool long_run = root_.path_instructions - run_start_ >= kLong || t.heap_objects >= kManyBlocks;
  if (!long_run || !others_can_run(t)) return false;
  bounds_.runs_long = true;
  stand_back(t);
  return true;
}

// A loop without scheduling points has used up its fuel. Run from back edge to back edge, and see whether the thread
// comes back unchanged; if so, it waits for the shared memory it read on the way, or it is an endless loop.
bool SpinDetection::invisible_loop(Thread& t) {
  constexpr int kEdges = 256;
  const uint32_t pc = t.pc, depth = t.depth;
  const uint64_t stores = t.stores, hash = state_.frames_hash(t);
  const bool slept = std::exchange(t.paused, false);
  pass_time(t);
  const uint32_t reads = t.clock_reads;
  if (slept) hash_from_here();
  const uint64_t memory = slept ? written(t) : 0;
  const auto unchanged = [&] {
    return t.clock_reads == reads && (t.stores == stores || (slept && t.paused && written(t) == memory));
  };
  t.spin.watches_ = 0;
  recording_reads_ = true;
  bool cycle = false;
  Stop stop = Stop::Loop;
  for (int n = 0; n < kEdges && stop == Stop::Loop && !cycle && (slept || t.stores == stores); ++n) {
    stop = follow_edge(t);
    cycle = stop == Stop::Loop && t.pc == pc && t.depth == depth && unchanged() && state_.frames_hash(t) == hash;
  }
  recording_reads_ = false;
  const bool sleeps = t.paused;
  t.paused |= slept;
  if (stop != Stop::Loop) return !state_.settle(t, stop);
  if (!cycle && !slept && comes_back(t, stop)) {
    go_round_for_ever(t);
    return true;
  }
  if (stop != Stop::Loop) return !state_.settle(t, stop);
  if (!cycle) {
    t.spin.watches_ = 0;
    return t.paused ? sleep_on(t) : run_on(t);
  }
  if (t.spin.watches_ == 0 && sleeps) {  // main of a server, say: nothing comes after it
    sleep_for_ever(t);
    return true;
  }
  if (t.spin.watches_ == 0 || state_.threads_.live() < 2) {
    state_.fault(t, FaultKind::EndlessLoop, "loops for ever without changing anything or waiting for another thread");
    return true;
  }
  wait_in_loop(t);
  return true;
}

// For one of its watches to change.
void SpinDetection::wait_in_loop(Thread& t) {
  t.phase = Phase::SpinRead;
  t.spinning = true;
  t.pending = {};
  t.pending.kind = OperationKind::Read;
  t.pending.thread = ThreadId(t.id);
  t.pending.object = {t.spin.watch_[0].address};
  t.pending.size = t.spin.watch_[0].size;
  t.pending.at = state_.image_->address(t.spin.spin_pc_ != 0 ? t.spin.spin_pc_ : t.pc);
}

uint64_t SpinDetection::hash(const Thread& t, uint64_t hash) const {
  const SpinState& spin = t.spin;
  const uint64_t others = root_.total_events - t.events;
  if (spin.paused_at_ != 0 && spin.rounds_since_ == others)
    hash = combine(combine(hash, spin.paused_at_), uint64_t{spin.rounds_} << 32 | spin.pauses_);
  if (spin.times_ != 0 && spin.times_since_ == others) hash = combine(hash, spin.times_);
  if (spin.by_clock_) hash = combine(hash, spin.until_);
  return spin.same_reads_ > 1 ? combine(hash, spin.same_reads_) : hash;
}

bool SpinDetection::waits_for_store(const Thread& t) const {
  if (!t.spinning || t.gives_way || t.spin.watches_ == 0 || t.phase == Phase::SpinRead) return false;
  if (state_.options_.exact_spins && t.spin.reads_only_) return true;
  return std::all_of(t.spin.watch_, t.spin.watch_ + t.spin.watches_,
                     [](const Watch& watch) { return watch.kind == kMemoryWatch; });
}

std::vector<Pointer> SpinDetection::watched_by(const Thread& t) {
  std::vector<Pointer> result;
  for (uint32_t n = 0; t.spinning && n < t.spin.watches_; ++n) result.push_back({t.spin.watch_[n].address});
  return result;
}

}  // namespace heddle::machine
