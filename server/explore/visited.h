// A set of 64-bit state fingerprints.
//
// Cost:    one probe in the usual case; 8 bytes per state at a load of a half.
// Owns:    its table. Threads: one.
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

}  // namespace heddle::explore
