// Two atomics have to agree.
#pragma once

#include <atomic>
#include <mutex>

namespace wrong {

class Range {
 public:
  void set(int value) {
    low_ = value;
    high_ = value;
  }
  int width() const {
    return high_ - low_;
  }

 private:
  mutable std::mutex mutex_;
  std::atomic<int> low_{0}, high_{0};
};

}  // namespace wrong

namespace right {

class Range {
 public:
  void set(int value) {
    std::lock_guard<std::mutex> lock(mutex_);
    low_ = value;
    high_ = value;
  }
  int width() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return high_ - low_;
  }

 private:
  mutable std::mutex mutex_;
  std::atomic<int> low_{0}, high_{0};
};

}  // namespace right
