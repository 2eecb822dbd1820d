// How long the last checks took: quick ones are worth their cost while a user types, slow ones wait for a save.
//
// In:      the time from the beginning to the answer of each check that explored something.
// Out:     the median of the last nine; are they quick?
// Owns:    its times.
// Threads: one per object.
// Fails:   never.
// From:    `docs/LSP.md`, setting `run`.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>

namespace heddle::client::lsp {

class AnswerTimes {
 public:
  using milliseconds = std::chrono::milliseconds;
  static constexpr milliseconds kQuick{300};

  void add(milliseconds time) {
    times_.push_back(time);
    if (times_.size() > kKept) times_.pop_front();
  }
  // None: too few checks to say.
  std::optional<milliseconds> median() const {
    if (times_.size() < kLeast) return std::nullopt;
    std::deque<milliseconds> sorted = times_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
  bool quick() const { return median().value_or(kQuick) < kQuick; }

 private:
  static constexpr size_t kKept = 9, kLeast = 3;
  std::deque<milliseconds> times_;
};

}  // namespace heddle::client::lsp
