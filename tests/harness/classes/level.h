// The guard is a temporary.
#pragma once

#include <mutex>

namespace wrong {

class Level {
 public:
  void raise(int by) {
    std::lock_guard<std::mutex>{mutex_};
    height_ += by;
  }

 private:
  std::mutex mutex_;
  int height_ = 0;
};

}  // namespace wrong

namespace right {

class Level {
 public:
  void raise(int by) {
    std::lock_guard<std::mutex> lock(mutex_);
    height_ += by;
  }

 private:
  std::mutex mutex_;
  int height_ = 0;
};

}  // namespace right
