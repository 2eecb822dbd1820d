// Random numbers that are the same on every machine and with every library.
//
// In:      a seed. Out: a sequence. Threads: one. Fails: never.
// From:    Steele, Lea, Flood 2014 (SplitMix).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::judge {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  // Of case `index` of run `seed`: neighbours have nothing in common.
  Random(uint64_t seed, uint64_t index) : state_(seed * 0x9e3779b97f4a7c15ull ^ index * 0xd1342543de82ef95ull) {
    next();
  }

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint32_t below(size_t n) { return static_cast<uint32_t>(next() % n); }  // n > 0
  int between(int low, int high) { return low + static_cast<int>(below(static_cast<size_t>(high - low + 1))); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  template <typename T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace heddle::judge
