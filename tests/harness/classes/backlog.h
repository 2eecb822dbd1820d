// Size() takes no lock.
#pragma once

#include <deque>
#include <mutex>

namespace wrong {

class Backlog {
 public:
  void push(int job) {
    std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(job);
  }
  bool pop(int& job) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (jobs_.empty()) return false;
    job = jobs_.front();
    jobs_.pop_front();
    return true;
  }
  size_t size() const {
    return jobs_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<int> jobs_;
};

}  // namespace wrong

namespace right {

class Backlog {
 public:
  void push(int job) {
    std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(job);
  }
  bool pop(int& job) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (jobs_.empty()) return false;
    job = jobs_.front();
    jobs_.pop_front();
    return true;
  }
  size_t size() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return jobs_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<int> jobs_;
};

}  // namespace right
