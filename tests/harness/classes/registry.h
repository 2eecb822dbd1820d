// Double-checked initialisation.
#pragma once

#include <atomic>
#include <mutex>

namespace wrong {

class Registry {
 public:
  static Registry& instance() {
    Registry* made = instance_;
    if (!made) {
      std::lock_guard<std::mutex> lock(mutex_);
      made = instance_;
      if (!made) {
        made = new Registry;
        instance_ = made;
      }
    }
    return *made;
  }
  int version() const { return version_; }

 private:
  Registry() : version_(3) {}
  int version_;
  static inline std::mutex mutex_;
  static inline Registry* instance_ = nullptr;
};

}  // namespace wrong

namespace right {

class Registry {
 public:
  static Registry& instance() {
    Registry* made = instance_.load(std::memory_order_acquire);
    if (!made) {
      std::lock_guard<std::mutex> lock(mutex_);
      made = instance_.load(std::memory_order_relaxed);
      if (!made) {
        made = new Registry;
        instance_.store(made, std::memory_order_release);
      }
    }
    return *made;
  }
  int version() const { return version_; }

 private:
  Registry() : version_(3) {}
  int version_;
  static inline std::mutex mutex_;
  static inline std::atomic<Registry*> instance_{nullptr};
};

}  // namespace right
