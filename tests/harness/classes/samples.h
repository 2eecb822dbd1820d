// Iterators leave the lock.
#pragma once

#include <mutex>
#include <vector>

namespace wrong {

class Samples {
 public:
  void add(int value) {
    std::lock_guard<std::mutex> lock(mutex_);
    values_.push_back(value);
  }
  std::vector<int>::const_iterator begin() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return values_.begin();
  }
  std::vector<int>::const_iterator end() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return values_.end();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> values_;
};

}  // namespace wrong

namespace right {

class Samples {
 public:
  void add(int value) {
    std::lock_guard<std::mutex> lock(mutex_);
    values_.push_back(value);
  }
  std::vector<int> all() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return values_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> values_;
};

}  // namespace right
