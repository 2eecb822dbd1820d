// A set of threads as a small bit set.
//
// In:      thread numbers below kThreadsMax. The caller reports a program with more threads as a limit.
// Out:     the set; for_each() visits its threads in ascending order.
// Owns:    a value.
// Threads: a value.
// Fails:   never.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace heddle::explore {

inline constexpr uint32_t kThreadsMax = 128;

class ThreadSet {
 public:
  bool has(uint32_t thread) const { return words_[thread >> 6] >> (thread & 63) & 1; }
  void add(uint32_t thread) { words_[thread >> 6] |= uint64_t{1} << (thread & 63); }
  void remove(uint32_t thread) { words_[thread >> 6] &= ~(uint64_t{1} << (thread & 63)); }
  bool empty() const { return (words_[0] | words_[1]) == 0; }
  uint32_t count() const { return static_cast<uint32_t>(std::popcount(words_[0]) + std::popcount(words_[1])); }
  bool intersects(const ThreadSet& other) const {
    return ((words_[0] & other.words_[0]) | (words_[1] & other.words_[1])) != 0;
  }
  ThreadSet operator|(const ThreadSet& other) const {
    return {words_[0] | other.words_[0], words_[1] | other.words_[1]};
  }
  ThreadSet operator&(const ThreadSet& other) const {
    return {words_[0] & other.words_[0], words_[1] & other.words_[1]};
  }
  ThreadSet operator-(const ThreadSet& other) const {
    return {words_[0] & ~other.words_[0], words_[1] & ~other.words_[1]};
  }
  bool operator==(const ThreadSet&) const = default;
  // The lowest thread; kThreadsMax if empty.
  uint32_t first() const {
    if (words_[0]) return static_cast<uint32_t>(std::countr_zero(words_[0]));
    if (words_[1]) return 64 + static_cast<uint32_t>(std::countr_zero(words_[1]));
    return kThreadsMax;
  }
  uint64_t word(uint32_t n) const { return words_[n]; }

  ThreadSet() = default;

 private:
  ThreadSet(uint64_t low, uint64_t high) : words_{low, high} {}
  std::array<uint64_t, 2> words_{};
};

// for_each(set, [](uint32_t thread) {...}) in ascending order.
template <typename Visit>
void for_each(const ThreadSet& set, Visit&& visit) {
  for (uint32_t word = 0; word < 2; ++word) {
    for (uint64_t bits = set.word(word); bits; bits &= bits - 1) {
      visit(word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }
}

}  // namespace heddle::explore
