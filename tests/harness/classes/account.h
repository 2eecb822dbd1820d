// A lock is missing in one method.
#pragma once

#include <mutex>

namespace wrong {

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ += amount;
  }
  int balance() const {
    return balance_;
  }

 private:
  mutable std::mutex mutex_;
  int balance_ = 0;
};

}  // namespace wrong

namespace right {

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ += amount;
  }
  int balance() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }

 private:
  mutable std::mutex mutex_;
  int balance_ = 0;
};

}  // namespace right
