// A semaphore of one's own counts without its lock.
#pragma once

#include <condition_variable>
#include <mutex>

namespace wrong {

class Permits {
 public:
  void give() {
    ++free_;
    changed_.notify_one();
  }
  void take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return free_ > 0; });
    --free_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_ = 0;
};

}  // namespace wrong

namespace right {

class Permits {
 public:
  void give() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++free_;
    changed_.notify_one();
  }
  void take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return free_ > 0; });
    --free_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_ = 0;
};

}  // namespace right
