// A template gives pointers to its elements.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace wrong {

template <typename T>
class History {
 public:
  void remember(T item) {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
  }
  const T* newest() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return items_.empty() ? nullptr : &items_.back();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<T> items_;
};

}  // namespace wrong

namespace right {

template <typename T>
class History {
 public:
  void remember(T item) {
    std::lock_guard<std::mutex> lock(mutex_);
    items_.push_back(item);
  }
  T newest() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return items_.empty() ? T() : items_.back();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<T> items_;
};

}  // namespace right
