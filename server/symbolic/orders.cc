#include "server/symbolic/orders.h"

#include <algorithm>
#include <cstdint>

namespace heddle::symbolic {

bool Orders::contradict() const {
  const size_t count = numbers_.size();
  if (count > kValuesMost || pairs_.size() < 2) return false;
  enum : uint8_t { kUnknown, kNotGreater, kLess };
  std::vector<uint8_t> known(count * count, kUnknown);
  for (const Pair& pair : pairs_) {
    uint8_t& one = known[pair.a * count + pair.b];
    one = std::max<uint8_t>(one, pair.strictly ? kLess : kNotGreater);
  }
  for (size_t by = 0; by < count; ++by)
    for (size_t a = 0; a < count; ++a) {
      const uint8_t first = known[a * count + by];
      for (size_t b = 0; first != kUnknown && b < count; ++b) {
        const uint8_t second = known[by * count + b];
        uint8_t& both = known[a * count + b];
        if (second != kUnknown) both = std::max(both, std::max(first, second));
      }
    }
  for (size_t a = 0; a < count; ++a)
    if (known[a * count + a] == kLess) return true;
  return std::any_of(different_.begin(), different_.end(), [&](const auto& pair) {
    return pair.first == pair.second ||
           (known[pair.first * count + pair.second] != kUnknown && known[pair.second * count + pair.first] != kUnknown);
  });
}

}  // namespace heddle::symbolic
