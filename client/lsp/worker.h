// One thread for questions that may take a while (the daemon's answers), in order.
//
// In:      closures.
// Out:     their calls, on the thread.
// Owns:    the thread. The destructor waits for the running closure and drops those that have not begun.
// Threads: post() from any.
// Fails:   never.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "server/base/mutex.h"

namespace heddle::client::lsp {

class Worker {
 public:
  Worker();
  ~Worker();
  void post(std::function<void()> work);

 private:
  void run();

  base::Mutex mutex_;
  base::Condition wake_;
  std::deque<std::function<void()>> posted_ HEDDLE_GUARDED_BY(mutex_);
  bool stopped_ HEDDLE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace heddle::client::lsp
