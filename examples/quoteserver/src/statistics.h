// Counters that every worker feeds, and the largest quote so far.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "money.h"

namespace quotes {

struct Summary {
  unsigned quoted = 0;
  unsigned refused = 0;
  Money largest;
  std::string largest_customer;
};

class Statistics {
 public:
  void quoted(const std::string& customer, Money total);
  void refused() { refused_.fetch_add(1, std::memory_order_relaxed); }
  Summary summary() const;

 private:
  std::atomic<unsigned> quoted_{0};
  std::atomic<unsigned> refused_{0};
  mutable std::mutex mutex_;  // of what follows
  Money largest_;
  std::string largest_customer_;
};

}  // namespace quotes
