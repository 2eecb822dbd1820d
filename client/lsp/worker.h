// One thread for questions that may take a while (the daemon's answers), in order.
//
// In:      closures.
// Out:     their calls, on the thread.
// Owns:    the thread. The destructor waits for the running closure and drops those that have not begun.
// Threads: post() from any.
// Fails:   never.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace heddle::client::lsp {

class Worker {
 public:
  Worker();
  ~Worker();
  void post(std::function<void()> work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> posted_;  // guarded by mutex_
  bool stopped_ = false;                      // guarded by mutex_
  std::thread thread_;
};

}  // namespace heddle::client::lsp
