// A count is decremented, and read again.
#pragma once

#include <atomic>

namespace wrong {

class Lease {
 public:
  Lease() : uses_(2), data_(new int(7)) {}
  ~Lease() {
    if (uses_ > 0) delete data_;
  }
  void release() {
    --uses_;
    if (uses_ == 0) delete data_;
  }

 private:
  std::atomic<int> uses_;
  int* data_;
};

}  // namespace wrong

namespace right {

class Lease {
 public:
  Lease() : uses_(2), data_(new int(7)) {}
  ~Lease() {
    if (uses_ > 0) delete data_;
  }
  void release() {
    if (--uses_ == 0) delete data_;
  }

 private:
  std::atomic<int> uses_;
  int* data_;
};

}  // namespace right
