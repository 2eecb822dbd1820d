// Sets of 64-bit state fingerprints: alone, each with the threads that slept whenever it was reached, or each with the
// fewest preemptive switches on a path there.
//
// In:      fingerprints; for a SleepTable a bit per sleeping thread, and the number of a summary; for a SwitchTable the
//          number of switches.
// Out:     whether a fingerprint is new; what was known of it before.
// Cost:    usually one probe; a slot has 8 or 24 bytes, at most half of the slots are used.
// Owns:    its table.
// Threads: one at a time.
// Fails:   never; two states with one fingerprint count as one.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::explore {

class VisitedSet {
 public:
  VisitedSet() : slots_(1024) {}
  // False if it was there already.
  bool insert(uint64_t key) {
    key += key == 0;
    if ((size_ + 1) * 2 > slots_.size()) grow();
    if (!place(key)) return false;
    ++size_;
    return true;
  }
  uint64_t size() const { return size_; }
  void clear() {
    slots_.assign(1024, 0);
    size_ = 0;
  }

 private:
  bool place(uint64_t key) {
    const size_t mask = slots_.size() - 1;
    size_t at = key * 0x9e3779b97f4a7c15ull >> 17 & mask;
    while (slots_[at] != 0) {
      if (slots_[at] == key) return false;
      at = (at + 1) & mask;
    }
    slots_[at] = key;
    return true;
  }
  void grow() {
    std::vector<uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (const uint64_t key : old) {
      if (key != 0) place(key);
    }
  }
  std::vector<uint64_t> slots_;
  uint64_t size_ = 0;
};

// Per state the threads, one bit each, that have slept every time the state was reached.
class SleepTable {
 public:
  SleepTable() : slots_(1024) {}

  struct Before {
    uint64_t slept = 0;
    uint32_t summary = 0;
    bool fresh = true;
  };
  // What was known of the state before; from now on those have slept always that did so far and are in `asleep`.
  Before enter(uint64_t key, uint64_t asleep) {
    key += key == 0;
    if ((size_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = find(key);
    if (slot.key == 0) {
      slot = {key, asleep, 0};
      ++size_;
      return {};
    }
    const Before before{slot.slept, slot.summary, false};
    slot.slept &= asleep;
    return before;
  }
  // What is known of a state that was entered.
  void set(uint64_t key, uint32_t summary) { find(key + (key == 0)).summary = summary; }
  uint64_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t key = 0, slept = 0;
    uint32_t summary = 0;
  };
  Slot& find(uint64_t key) {
    const size_t mask = slots_.size() - 1;
    size_t at = key * 0x9e3779b97f4a7c15ull >> 17 & mask;
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) find(slot.key) = slot;
  }
  std::vector<Slot> slots_;
  uint64_t size_ = 0;
};

// Per state the fewest preemptive switches with which it was reached. They take the place of the lowest bits.
class SwitchTable {
 public:
  static constexpr uint32_t kSwitchesMax = 14;
  SwitchTable() : slots_(1024) {}

  // False if it was reached with as few before.
  bool enter(uint64_t key, uint32_t switches) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    uint64_t& slot = find(key);
    const uint64_t before = slot & kMask;
    if (before != 0 && before <= switches + 1) return false;
    size_ += before == 0;
    slot = (key & ~kMask) | (switches + 1);
    return true;
  }
  uint64_t size() const { return size_; }

 private:
  static constexpr uint64_t kMask = 15;
  uint64_t& find(uint64_t key) {
    const size_t mask = slots_.size() - 1;
    size_t at = (key >> 4) * 0x9e3779b97f4a7c15ull >> 17 & mask;
    while ((slots_[at] & kMask) != 0 && (slots_[at] ^ key) >> 4 != 0) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (const uint64_t slot : old)
      if (slot != 0) find(slot) = slot;
  }
  std::vector<uint64_t> slots_;
  uint64_t size_ = 0;
};

}  // namespace heddle::explore
