// A const method caches its value.
#pragma once

#include <mutex>

namespace wrong {

class Area {
 public:
  explicit Area(int side) : side_(side) {}
  void resize(int side) {
    std::lock_guard<std::mutex> lock(mutex_);
    side_ = side;
    cached_ = false;
  }
  int value() const {
    if (!cached_) {
      value_ = side_ * side_;
      cached_ = true;
    }
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  int side_;
  mutable bool cached_ = false;
  mutable int value_ = 0;
};

}  // namespace wrong

namespace right {

class Area {
 public:
  explicit Area(int side) : side_(side) {}
  void resize(int side) {
    std::lock_guard<std::mutex> lock(mutex_);
    side_ = side;
    cached_ = false;
  }
  int value() const {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!cached_) {
      value_ = side_ * side_;
      cached_ = true;
    }
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  int side_;
  mutable bool cached_ = false;
  mutable int value_ = 0;
};

}  // namespace right
