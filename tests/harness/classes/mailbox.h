// A notification is lost.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

namespace wrong {

class Mailbox {
 public:
  void post(int letter) {
    std::lock_guard<std::mutex> lock(mutex_);
    letters_.push_back(letter);
    if (letters_.size() > 1) changed_.notify_one();
  }
  int fetch() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (letters_.empty()) changed_.wait(lock);
    const int letter = letters_.front();
    letters_.pop_front();
    return letter;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> letters_;
};

}  // namespace wrong

namespace right {

class Mailbox {
 public:
  void post(int letter) {
    std::lock_guard<std::mutex> lock(mutex_);
    letters_.push_back(letter);
     changed_.notify_one();
  }
  int fetch() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (letters_.empty()) changed_.wait(lock);
    const int letter = letters_.front();
    letters_.pop_front();
    return letter;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> letters_;
};

}  // namespace right
