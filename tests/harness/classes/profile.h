// A reference leaves the lock.
#pragma once

#include <mutex>
#include <string>

namespace wrong {

class Profile {
 public:
  void rename(const std::string& name) {
    std::lock_guard<std::mutex> lock(mutex_);
    name_ = name;
  }
  const std::string& name() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return name_;
  }

 private:
  mutable std::mutex mutex_;
  std::string name_ = "nobody";
};

}  // namespace wrong

namespace right {

class Profile {
 public:
  void rename(const std::string& name) {
    std::lock_guard<std::mutex> lock(mutex_);
    name_ = name;
  }
  std::string name() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return name_;
  }

 private:
  mutable std::mutex mutex_;
  std::string name_ = "nobody";
};

}  // namespace right
