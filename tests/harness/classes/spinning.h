// A spin lock is given back with a relaxed store.
#pragma once

#include <atomic>

namespace wrong {

class Spinning {
 public:
  void add(int n) {
    while (busy_.exchange(true, std::memory_order_acquire)) {
    }
    sum_ += n;
    busy_.store(false, std::memory_order_relaxed);
  }
  int sum() {
    while (busy_.exchange(true, std::memory_order_acquire)) {
    }
    const int sum = sum_;
    busy_.store(false, std::memory_order_release);
    return sum;
  }

 private:
  std::atomic<bool> busy_{false};
  int sum_ = 0;
};

}  // namespace wrong

namespace right {

class Spinning {
 public:
  void add(int n) {
    while (busy_.exchange(true, std::memory_order_acquire)) {
    }
    sum_ += n;
    busy_.store(false, std::memory_order_release);
  }
  int sum() {
    while (busy_.exchange(true, std::memory_order_acquire)) {
    }
    const int sum = sum_;
    busy_.store(false, std::memory_order_release);
    return sum;
  }

 private:
  std::atomic<bool> busy_{false};
  int sum_ = 0;
};

}  // namespace right
