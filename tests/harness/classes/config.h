// An object is published with a relaxed store.
#pragma once

#include <atomic>

namespace wrong {

class Config {
 public:
  void publish(int value) {
    auto* made = new Values{value, value};
    current_.store(made, std::memory_order_relaxed);
  }
  int sum() const {
    const Values* values = current_.load(std::memory_order_acquire);
    return values ? values->first + values->second : 0;
  }

 private:
  struct Values {
    int first, second;
  };
  std::atomic<Values*> current_{nullptr};
};

}  // namespace wrong

namespace right {

class Config {
 public:
  void publish(int value) {
    auto* made = new Values{value, value};
    current_.store(made, std::memory_order_release);
  }
  int sum() const {
    const Values* values = current_.load(std::memory_order_acquire);
    return values ? values->first + values->second : 0;
  }

 private:
  struct Values {
    int first, second;
  };
  std::atomic<Values*> current_{nullptr};
};

}  // namespace right
