// Callbacks are called without the lock of their list.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace wrong {

class Subject {
 public:
  void subscribe(std::function<void(int)> listener) {
    std::lock_guard<std::mutex> lock(mutex_);
    listeners_.push_back(std::move(listener));
  }
  void publish(int value) {
    for (const auto& listener : listeners_) listener(value);
  }

 private:
  std::mutex mutex_;
  std::vector<std::function<void(int)>> listeners_;
};

}  // namespace wrong

namespace right {

class Subject {
 public:
  void subscribe(std::function<void(int)> listener) {
    std::lock_guard<std::mutex> lock(mutex_);
    listeners_.push_back(std::move(listener));
  }
  void publish(int value) {
    std::vector<std::function<void(int)>> listeners;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      listeners = listeners_;
    }
    for (const auto& listener : listeners) listener(value);
  }

 private:
  std::mutex mutex_;
  std::vector<std::function<void(int)>> listeners_;
};

}  // namespace right
