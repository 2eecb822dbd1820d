// Values that are kept once each, with a number.
//
// In:      values that can be compared and hashed.
// Out:     their numbers, from 0, in the order in which they came; values() by number.
// Cost:    a probe or two.
// Owns:    the values.
// Threads: one at a time.
// Fails:   never.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::explore {

struct WordHash {
  uint64_t operator()(uint64_t word) const { return (word ^ word >> 32) * 0x9e3779b97f4a7c15ull; }
};

template <typename Value, typename Hash = WordHash>
class Interned {
 public:
  uint32_t number(const Value& value) {
    if ((values_.size() + 1) * 2 > slots_.size()) grow();
    uint32_t& slot = find(value);
    if (slot == 0) {
      values_.push_back(value);
      slot = size();
    }
    return slot - 1;
  }
  uint32_t size() const { return static_cast<uint32_t>(values_.size()); }
  const std::vector<Value>& values() const { return values_; }

 private:
  uint32_t& find(const Value& value) {
    const size_t mask = slots_.size() - 1;
    size_t at = Hash()(value) >> 24 & mask;
    while (slots_[at] != 0 && !(values_[slots_[at] - 1] == value)) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
    for (uint32_t n = 0; n < size(); ++n) find(values_[n]) = n + 1;
  }

  std::vector<Value> values_;
  std::vector<uint32_t> slots_;  // number plus 1; 0: free
};

}  // namespace heddle::explore
