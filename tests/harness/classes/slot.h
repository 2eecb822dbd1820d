// An early return keeps the lock.
#pragma once

#include <mutex>

namespace wrong {

class Slot {
 public:
  bool put(int value) {
    mutex_.lock();
    if (full_) {
      return false;
    }
    full_ = true;
    value_ = value;
    mutex_.unlock();
    return true;
  }
  int value() {
    std::lock_guard<std::mutex> lock(mutex_);
    return value_;
  }

 private:
  std::mutex mutex_;
  bool full_ = false;
  int value_ = 0;
};

}  // namespace wrong

namespace right {

class Slot {
 public:
  bool put(int value) {
    mutex_.lock();
    if (full_) {
      mutex_.unlock();
      return false;
    }
    full_ = true;
    value_ = value;
    mutex_.unlock();
    return true;
  }
  int value() {
    std::lock_guard<std::mutex> lock(mutex_);
    return value_;
  }

 private:
  std::mutex mutex_;
  bool full_ = false;
  int value_ = 0;
};

}  // namespace right
