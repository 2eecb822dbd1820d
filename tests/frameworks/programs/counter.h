// What the suites test: a counter that loses updates, one that does not, and one that counts in two steps.
#pragma once
#include <atomic>
#include <mutex>
#include <thread>

class UnsafeCounter {
 public:
  void add() { ++value_; }
  int value() const { return value_; }

 private:
  int value_ = 0;
};

class SafeCounter {
 public:
  void add() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++value_;
  }
  int value() const { return value_; }

 private:
  std::mutex mutex_;
  int value_ = 0;
};

class TwoStepCounter {
 public:
  void add() { value_ = value_ + 1; }
  int value() const { return value_; }

 private:
  std::atomic<int> value_{0};
};

template <typename Counter>
int count_twice(Counter& counter) {
  std::thread other([&counter] { counter.add(); });
  counter.add();
  other.join();
  return counter.value();
}
