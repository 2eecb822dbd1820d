// The one thread that owns all state of the language server: closures and timers, in order.
//
// In:      post() and after() from any thread. Out: the closures run on the thread that is in run().
// Owns:    what was posted and has not run; dropped by the destructor.
// Threads: stated above. Fails: never.
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
