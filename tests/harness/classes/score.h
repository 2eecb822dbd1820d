// Each call locks a mutex of its own.
#pragma once

#include <mutex>

namespace wrong {

class Score {
 public:
  void win() {
    std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    ++points_;
  }

 private:
  std::mutex mutex_;
  int points_ = 0;
};

}  // namespace wrong

namespace right {

class Score {
 public:
  void win() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++points_;
  }

 private:
  std::mutex mutex_;
  int points_ = 0;
};

}  // namespace right
