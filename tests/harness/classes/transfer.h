// Two methods take two locks in different orders.
#pragma once

#include <mutex>

namespace wrong {

class Transfer {
 public:
  void forth(int amount) {
    std::lock_guard<std::mutex> first(first_mutex_);
    std::lock_guard<std::mutex> second(second_mutex_);
    first_ -= amount;
    second_ += amount;
  }
  void back(int amount) {
    std::lock_guard<std::mutex> second(second_mutex_);
    std::lock_guard<std::mutex> first(first_mutex_);
    second_ -= amount;
    first_ += amount;
  }

 private:
  std::mutex first_mutex_, second_mutex_;
  int first_ = 0, second_ = 0;
};

}  // namespace wrong

namespace right {

class Transfer {
 public:
  void forth(int amount) {
    std::lock_guard<std::mutex> first(first_mutex_);
    std::lock_guard<std::mutex> second(second_mutex_);
    first_ -= amount;
    second_ += amount;
  }
  void back(int amount) {
    std::lock_guard<std::mutex> first(first_mutex_);
    std::lock_guard<std::mutex> second(second_mutex_);
    second_ -= amount;
    first_ += amount;
  }

 private:
  std::mutex first_mutex_, second_mutex_;
  int first_ = 0, second_ = 0;
};

}  // namespace right
