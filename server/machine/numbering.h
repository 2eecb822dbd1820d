// What a machine numbers and notes for good, on all paths: it is never rewound.
//
// In:      operations, creations of threads, addresses.
// Out:     small dense numbers, equal for equal things; whether anything may lie at an address.
// Owns:    its tables.
// Threads: the thread that uses the machine.
// Fails:   never.
// From:    PorSe 4.3 (identities do not depend on the interleaving).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::machine {

// Where an access was: the operation, or for library code the operation and the project's call that led there.
struct AccessSite {
  uint32_t pc = 0, user = 0;  // user 0: the operation is the project's own, or no call of it is known
};

// A site that is an operation alone has its number; the others are numbered after all operations.
class AccessSites {
 public:
  uint32_t number_of(uint32_t pc, uint32_t user) {
    if (user == 0) return pc;
    const Known& known = known_[place(pc, user)];
    return known.at.pc == pc && known.at.user == user ? known.number : look_up(pc, user);
  }
  AccessSite at(uint32_t number) const { return number < kFirst ? AccessSite{number, 0} : sites_[number - kFirst]; }

 private:
  static constexpr uint32_t kFirst = 1u << 29;  // fits ShadowCell::write_at
  struct Known {
    AccessSite at;
    uint32_t number = 0;
  };
  static uint32_t place(uint32_t pc, uint32_t user) { return (pc ^ user * 37) % 1024; }
  uint32_t look_up(uint32_t pc, uint32_t user) {
    const auto next = static_cast<uint32_t>(kFirst + sites_.size());
    const auto [at, inserted] = numbers_.try_emplace(uint64_t{pc} << 32 | user, next);
    if (inserted) sites_.push_back({pc, user});
    known_[place(pc, user)] = {{pc, user}, at->second};
    return at->second;
  }

  std::vector<AccessSite> sites_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // pc << 32 | user
  std::array<Known, 1024> known_{};                 // those asked for last
};

// Threads by their creation: the n-th child of a thread has one number in every interleaving. 0 is main.
class ThreadNumbers {
 public:
  struct Creation {
    uint32_t parent = 0, child = 0;
  };
  uint32_t number_of(uint32_t parent, uint32_t child) {
    const auto [at, inserted] = numbers_.try_emplace(uint64_t{parent} << 32 | child, size());
    if (inserted) creations_.push_back({parent, child});
    return at->second;
  }
  uint32_t size() const { return static_cast<uint32_t>(creations_.size()); }
  Creation creation(uint32_t number) const { return creations_[number]; }

 private:
  std::vector<Creation> creations_{{std::numeric_limits<uint32_t>::max(), 0}};
  std::unordered_map<uint64_t, uint32_t> numbers_;  // parent << 32 | child
};

// Where something may lie: a bit per unit of memory, a word of bits per line of units. Several lines share theirs.
template <typename Line>
class AddressFilter {
 public:
  static constexpr uint32_t kUnits = std::numeric_limits<Line>::digits;  // in a line
  void add(uint64_t unit) { at(unit / kUnits) |= static_cast<Line>(1u << unit % kUnits); }
  bool may_hold(uint64_t unit) const { return line(unit / kUnits) >> unit % kUnits & 1; }
  Line line(uint64_t number) const { return lines_[number % kLines]; }

 private:
  static constexpr uint32_t kLines = 1009;  // a prime: objects of one kind are alike in the lower bits
  Line& at(uint64_t number) { return lines_[number % kLines]; }
  std::array<Line, kLines> lines_{};
};

}  // namespace heddle::machine
