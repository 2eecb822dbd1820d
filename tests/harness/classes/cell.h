// Swap locks two objects.
#pragma once

#include <mutex>

namespace wrong {

class Cell {
 public:
  void swap(Cell& other) {
    if (this == &other) return;
    std::lock_guard<std::mutex> mine(mutex_);
    std::lock_guard<std::mutex> theirs(other.mutex_);
    const int value = value_;
    value_ = other.value_;
    other.value_ = value;
  }
  void set(int value) {
    std::lock_guard<std::mutex> lock(mutex_);
    value_ = value;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
};

}  // namespace wrong

namespace right {

class Cell {
 public:
  void swap(Cell& other) {
    if (this == &other) return;
    std::scoped_lock both(mutex_, other.mutex_);
    const int value = value_;
    value_ = other.value_;
    other.value_ = value;
  }
  void set(int value) {
    std::lock_guard<std::mutex> lock(mutex_);
    value_ = value;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
};

}  // namespace right
