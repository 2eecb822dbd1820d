// One thread for questions that may take a while (the daemon's answers), in order.
//
// Threads: post() from any; the work runs on the thread, which the destructor joins after the work that runs.
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
