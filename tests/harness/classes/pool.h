// What was not found is made outside of the lock.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace wrong {

class Pool {
 public:
  int* item(int key) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const auto found = items_.find(key);
      if (found != items_.end()) return found->second.get();

    }
    auto made = std::make_unique<int>(key);
    std::lock_guard<std::mutex> lock(mutex_);
    items_[key] = std::move(made);
    return items_[key].get();
  }

 private:
  std::mutex mutex_;
  std::map<int, std::unique_ptr<int>> items_;
};

}  // namespace wrong

namespace right {

class Pool {
 public:
  int* item(int key) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const auto found = items_.find(key);
      if (found != items_.end()) return found->second.get();
      return (items_[key] = std::make_unique<int>(key)).get();
    }

  }

 private:
  std::mutex mutex_;
  std::map<int, std::unique_ptr<int>> items_;
};

}  // namespace right
