// A static counter is not atomic.
#pragma once

#include <atomic>
#include <mutex>

namespace wrong {

class Ticket {
 public:
  int draw() { return ++next_; }

 private:
  static inline int next_ = 0;
};

}  // namespace wrong

namespace right {

class Ticket {
 public:
  int draw() { return ++next_; }

 private:
  static inline std::atomic<int> next_{0};
};

}  // namespace right
