// A shared lock covers a write.
#pragma once

#include <map>
#include <shared_mutex>

namespace wrong {

class Lookup {
 public:
  void put(int key, int value) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    values_[key] = value;
  }
  int get(int key) {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    ++hits_;
    return values_.count(key) ? values_[key] : 0;
  }

 private:
  std::shared_mutex mutex_;
  std::map<int, int> values_;
  int hits_ = 0;
};

}  // namespace wrong

namespace right {

class Lookup {
 public:
  void put(int key, int value) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    values_[key] = value;
  }
  int get(int key) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    ++hits_;
    return values_.count(key) ? values_[key] : 0;
  }

 private:
  std::shared_mutex mutex_;
  std::map<int, int> values_;
  int hits_ = 0;
};

}  // namespace right
