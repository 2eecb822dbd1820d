// A thread that is alone, sleeps in a loop, reads what would end the loop, and counts its rounds in memory: a heartbeat.
// Its states never repeat, and it waits all the same: for what it reads and does not change itself. Whether the count
// decides something is tried: with other values in its place the round has to go the same way. Where it does, the
// thread waits as one that changes nothing, and what waits for others meanwhile can be seen to wait for ever.
#include <algorithm>
#include <map>
#include <set>

#include "server/machine/hashing.h"
#include "server/machine/spin/counted_rounds.h"
#include "server/machine/state.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kRoundOperations = 64;
constexpr size_t kRoundPlaces = 16;       // words that a round changes
constexpr uint64_t kBytesMost = 4 << 20;  // of all objects, which are compared
constexpr uint32_t kFramesLookedAt = 8;
constexpr uint32_t kCodeLookedAt = 2'000;  // instructions; constants of longer functions are not looked at
constexpr size_t kConstantsMost = 200;
constexpr uint64_t kRoundInstructions = 1'000'000;
// Zero is a multiple of everything; the others are counts at which people let something happen.
constexpr uint64_t kUsualCounts[] = {0, 1, 9, 99, 999, 1'000, 1'000'000, 0x7fffffff, 0x80000000};
constexpr uint64_t kLargest = 0xfffffff0;  // from which a few rounds reach no higher word

bool share_bytes(const Watch& a, const Watch& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

}  // namespace

// What the code on the thread's stack compares with.
void SpinDetection::add_constants(const Thread& t, std::set<uint64_t>& values) const {
  uint32_t pc = t.pc, fp = t.fp;
  for (uint32_t n = 0; n < kFramesLookedAt; ++n) {
    if (pc <= kBuiltinReturnCode || static_cast<uint32_t>(t.stack[fp - 2]) == kNoFunction) return;
    const program::Function& f = state_.image_->program->function(state_.image_->address(pc).function);
    for (const program::Instruction& i : f.code) {
      if (f.code.size() > kCodeLookedAt || values.size() > kConstantsMost) break;
      if (!compares_with_constant(i)) continue;
      for (const int64_t near : {-1, 0, 1}) values.insert(static_cast<uint64_t>(i.imm + near));
    }
    const uint64_t link = t.stack[fp - 1];
    if (static_cast<uint32_t>(link) == 0) return;
    pc = static_cast<uint32_t>(link) - 1;
    fp = static_cast<uint32_t>(link >> 32);
  }
}

void SpinDetection::add_read(std::vector<Watch>& reads, const Watch& read) {
  const auto same = [&](const Watch& known) {
    return known.address == read.address && known.size == read.size && known.kind == read.kind;
  };
  if (std::none_of(reads.begin(), reads.end(), same)) reads.push_back(read);
}

// Performs one round of the loop. False: the round does something that others wait for, or the thread does not come back
// with the same slots and locks.
bool SpinDetection::goes_round(Thread& t, Round* round) {
  t.spin.rounds_ = 0;  // it does not give way meanwhile
  const uint64_t place = place_in_loop(t), slots = live_hash(t), locks = t.spin.balance_;
  const uint32_t reads = t.clock_reads;
  for (uint32_t n = 0; n < kRoundOperations; ++n) {
    t.spinning = t.gives_way = t.spin.by_clock_ = false;
    const uint32_t ways = goes_far(t.pending.kind) ? 0 : state_.alternatives(t);
    if (ways == 0 || (t.pending.compares && t.pending.second.bits != 0)) return false;
    const bool waited = waiting_of(t.pending.kind) == Waiting::EndsWait;
    if (state_.perform_once(t.id, waited ? ways - 1 : 0) != Outcome::Running) return false;
    if (t.life != Life::Running || t.phase == Phase::SetAside) return false;
    if (changes_objects(state_.events_.back()) || others_can_run(t) || t.clock_reads != reads) return false;
    if (round != nullptr) {
      if (const auto watch = watch_of(state_.events_.back().operation)) add_read(round->reads, *watch);
      add_constants(t, round->constants);
    }
    if (place_in_loop(t) == place) return live_hash(t) == slots && t.spin.balance_ == locks;
  }
  return false;
}

void SpinDetection::put(uint64_t address, uint64_t value, uint32_t size) {
  Object& o = *memory_.find(address);
  const uint32_t offset = Pointer{address}.offset();
  memory_.before_store(o, address, offset, size);
  put_word(o.data + offset, value, size);
  memory_.after_store(o, address, offset, size, true);
}

// With these values in the places. It changes no memory but these places.
bool SpinDetection::goes_round_with(Thread& t, const std::vector<Watch>& places, std::optional<uint64_t> value) {
  bool same = false;
  take_back(t, 0, kRoundInstructions, [&] {
    const GuestMemory::Position before = memory_.count_changes();
    const uint64_t hash = memory_.hash();
    for (const Watch& place : places)
      if (value) put(place.address, *value, place.size);
    same = goes_round(t, nullptr);
    for (const Watch& place : places) put(place.address, place.value, place.size);
    same = same && memory_.hash() == hash;
    memory_.end_counting(before);
  });
  return same;
}

// The objects that can be written, by number, with a hash of their bytes; empty: they are too large.
std::map<uint32_t, uint64_t> SpinDetection::hashes_of_objects() const {
  std::map<uint32_t, uint64_t> hashes;
  uint64_t bytes = 0;
  const auto add = [&](uint32_t number) {
    const Object& o = memory_.at(number);
    if (o.data == nullptr || o.write_size == 0) return;
    bytes += o.write_size;
    if (bytes <= kBytesMost) hashes[number] = memory_.hash_of(number, o);
  };
  for (uint32_t number = 1; number < state_.image_->objects.size(); ++number) add(number);
  for (const auto& [number, made_hash] : memory_.hidden()) add(number);
  for (uint32_t id = 0; id < state_.threads_.limit(); ++id) {
    const Thread* const t = state_.threads_[id];
    if (t == nullptr || t->life == Life::None) continue;
    for (uint32_t n = 0; n < t->heap_objects; ++n) add(first_heap_object(id) + n);
    for (uint32_t n = 0; n < t->stack_objects; ++n) add(first_stack_object(id) + n);
  }
  if (bytes > kBytesMost) hashes.clear();
  return hashes;
}

// Of words of 4 bytes: which are another after a round, with their values before it.
std::vector<Watch> SpinDetection::changed_by_round(Thread& t, Round& round) {
  const std::map<uint32_t, uint64_t> before = hashes_of_objects();
  std::vector<uint32_t> changed;
  bool back = false;
  take_back(t, 0, kRoundInstructions, [&] {
    recording_reads_ = true;
    round_reads_ = &round.reads;
    back = goes_round(t, &round);
    round_reads_ = nullptr;
    recording_reads_ = false;
    for (const auto& [number, hash] : hashes_of_objects())
      if (const auto known = before.find(number); known != before.end() && known->second != hash)
        changed.push_back(number);
  });
  std::vector<std::vector<uint8_t>> contents;
  for (const uint32_t number : changed)
    contents.emplace_back(memory_.at(number).data, memory_.at(number).data + memory_.at(number).write_size);
  std::vector<Watch> words;
  if (!back) return words;
  take_back(t, 0, kRoundInstructions, [&] {
    goes_round(t, nullptr);
    for (size_t n = 0; n < changed.size(); ++n) {
      const Object& o = memory_.at(changed[n]);
      for (uint32_t at = 0; at < std::min<size_t>(contents[n].size(), o.write_size); at += 4) {
        const uint32_t size = std::min<uint32_t>(4, o.write_size - at);
        if (std::memcmp(o.data + at, contents[n].data() + at, size) == 0) continue;
        words.push_back(
            {Pointer::make(changed[n], at).bits, word_at(contents[n].data() + at, size), size, kMemoryWatch});
      }
    }
  });
  return words;
}

// At a pending operation; no other thread can run. True: from now on it waits for what it reads.
bool SpinDetection::only_counts(Thread& t) {
  if (state_.options_.exact_spins || Symbols::any(state_.symbols_.get()) || t.spin.held_ != 0) return false;
  Round round;
  const std::vector<Watch> counts = changed_by_round(t, round);
  state_.touch_running(t);
  const auto of_library = [&](const Watch& count) {
    return memory_.find(count.address)->kind == ObjectKindHost::Hidden;
  };
  if (counts.empty() || counts.size() > kRoundPlaces || std::any_of(counts.begin(), counts.end(), of_library))
    return false;
  std::erase_if(round.reads, [&](const Watch& read) {
    return read.kind == kMemoryWatch &&
           (memory_.find(read.address)->size == 0 ||
            std::any_of(counts.begin(), counts.end(), [&](const Watch& count) { return share_bytes(read, count); }));
  });
  const auto any_event = [](const Watch& read) { return read.kind == kAnyEventWatch; };
  const auto memory = [](const Watch& read) { return read.kind == kMemoryWatch; };
  if (std::any_of(round.reads.begin(), round.reads.end(), any_event)) return false;
  if (std::none_of(round.reads.begin(), round.reads.end(), memory))
    return false;  // a server, say: nothing would end it
  for (const uint64_t value : kUsualCounts) round.constants.insert(value);
  for (const Watch& read : round.reads)
    for (const int64_t near : {-1, 0, 1})
      if (memory(read)) round.constants.insert(watched(read.address, read.size) + static_cast<uint64_t>(near));
  bool same = goes_round_with(t, counts, std::nullopt);
  for (const uint64_t value : round.constants)
    same = same && goes_round_with(t, counts, std::min(value & 0xffffffff, kLargest));
  state_.touch_running(t);
  if (!same) return false;
  t.spin.watches_ = 0;
  for (const Watch& read : round.reads) add_watch(t, read.address, read.size, read.kind);
  t.spinning = true;
  t.gives_way = t.spin.undecided_ = false;
  return true;
}

}  // namespace heddle::machine
