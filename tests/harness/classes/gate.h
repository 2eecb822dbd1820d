// The condition changes between its check and the wait.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace wrong {

class Gate {
 public:
  void open() {
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!open_) changed_.wait(lock);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> open_{false};
};

}  // namespace wrong

namespace right {

class Gate {
 public:
  void open() {
    std::lock_guard<std::mutex> lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!open_) changed_.wait(lock);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> open_{false};
};

}  // namespace right
