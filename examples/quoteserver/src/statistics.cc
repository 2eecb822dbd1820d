#include "statistics.h"

namespace quotes {

void Statistics::quoted(const std::string& customer, Money total) {
  quoted_.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard<std::mutex> guard(mutex_);
  if (largest_ < total) {
    largest_ = total;
    largest_customer_ = customer;
  }
}

Summary Statistics::summary() const {
  Summary result;
  result.quoted = quoted_.load(std::memory_order_relaxed);
  result.refused = refused_.load(std::memory_order_relaxed);
  std::lock_guard<std::mutex> guard(mutex_);
  result.largest = largest_;
  result.largest_customer = largest_customer_;
  return result;
}

}  // namespace quotes
