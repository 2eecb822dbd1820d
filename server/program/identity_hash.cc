#include "server/program/identity_hash.h"

#include <bit>
#include <cstring>

namespace heddle::program {
namespace {

constexpr uint64_t kFirst = 0x9e3779b97f4a7c15ull, kSecond = 0xd6e8feb86659fd93ull;

// Folded 128-bit product: every input bit reaches every output bit.
uint64_t fold(uint64_t value, uint64_t factor) {
  const auto product = static_cast<unsigned __int128>(value) * factor;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

IdentityHasher& IdentityHasher::number(uint64_t value) {
  ++count_;
  a_ = fold(a_ ^ value, kFirst) + std::rotl(b_, 23);
  b_ = fold(b_ + value, kSecond) ^ a_;
  return *this;
}

IdentityHasher& IdentityHasher::bytes(const void* data, size_t size) {
  const auto* from = static_cast<const unsigned char*>(data);
  number(size);
  for (; size >= 8; from += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, from, 8);
    number(word);
  }
  if (size) {
    uint64_t word = 0;
    std::memcpy(&word, from, size);
    number(word);
  }
  return *this;
}

Hash IdentityHasher::finish() const {
  Hash result;
  result.high = fold(a_ ^ std::rotl(b_, 17) ^ count_, kSecond);
  result.low = fold(b_ + std::rotl(a_, 41) + count_ * kFirst, kFirst) ^ result.high;
  return result;
}

}  // namespace heddle::program
