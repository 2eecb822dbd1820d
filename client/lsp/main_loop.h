// The one thread that owns all state of the language server: closures and timers, in order.
//
// In:      closures, delays in milliseconds.
// Out:     their calls, on the thread that is in run(). Posted closures come before timers that are due.
// Owns:    what was posted and has not run; the destructor drops it.
// Threads: post(), after() and stop() from any.
// Fails:   never.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

namespace heddle::client::lsp {

class MainLoop {
 public:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<void()>;

  void post(Work work);
  void after(std::chrono::milliseconds delay, Work work);
  // Runs what was posted and what is due, until stop().
  void run();
  void stop();

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> posted_;                        // guarded by mutex_
  std::multimap<Clock::time_point, Work> timers_;  // guarded by mutex_
  bool stopped_ = false;                           // guarded by mutex_
};

}  // namespace heddle::client::lsp
