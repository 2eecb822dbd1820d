// Two methods lock two mutexes.
#pragma once

#include <mutex>

namespace wrong {

class Meter {
 public:
  void count(int n) {
    std::lock_guard<std::mutex> lock(write_mutex_);
    total_ += n;
  }
  int total() {
    std::lock_guard<std::mutex> lock(read_mutex_);
    return total_;
  }

 private:
  std::mutex read_mutex_, write_mutex_;
  int total_ = 0;
};

}  // namespace wrong

namespace right {

class Meter {
 public:
  void count(int n) {
    std::lock_guard<std::mutex> lock(mutex_);
    total_ += n;
  }
  int total() {
    std::lock_guard<std::mutex> lock(mutex_);
    return total_;
  }

 private:
  std::mutex mutex_;
  int total_ = 0;
};

}  // namespace right
