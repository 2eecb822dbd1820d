// An atomic is read, and written: two steps.
#pragma once

#include <atomic>

namespace wrong {

class Votes {
 public:
  int cast() {
    const int now = count_.load();
    count_.store(now + 1);
    return now + 1;
  }

 private:
  std::atomic<int> count_{0};
};

}  // namespace wrong

namespace right {

class Votes {
 public:
  int cast() {
    return ++count_;
  }

 private:
  std::atomic<int> count_{0};
};

}  // namespace right
