// Checks, then acts under another lock.
#pragma once

#include <mutex>
#include <vector>

namespace wrong {

class Stock {
 public:
  void put(int item) {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
  }
  bool empty() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return items_.empty();
  }
  int take() {
    if (empty()) return -1;
    std::lock_guard<std::mutex> lock(mutex_);

    const int item = items_.back();
    items_.pop_back();
    return item;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> items_;
};

}  // namespace wrong

namespace right {

class Stock {
 public:
  void put(int item) {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
  }
  bool empty() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return items_.empty();
  }
  int take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (items_.empty()) return -1;
    const int item = items_.back();
    items_.pop_back();
    return item;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> items_;
};

}  // namespace right
