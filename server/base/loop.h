// An event loop: file descriptors, timers, and closures that other threads hand over. The daemon and the language
// server have one each, whose thread owns all their state.
//
// In:      closures, descriptors with epoll events, delays in milliseconds.
// Out:     their calls, all on the thread that is in run(). Posted closures come before timers that are due.
// Owns:    the closures; watched descriptors stay the caller's.
// Threads: post() and stop() from any; everything else on the thread that calls run(), or before it does.
// Fails:   never; what is posted after run() has ended is dropped.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "server/base/mutex.h"

namespace heddle::base {

class Loop {
 public:
  using Clock = std::chrono::steady_clock;
  using TimerId = uint64_t;  // 0: no timer

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void post(std::function<void()> work);  // dropped if the loop has ended
  // Nothing runs after the closure that calls it; from another thread, nothing that is posted later.
  void stop();
  void run();

  // The callback gets the epoll events. Watching again changes the events asked for.
  void watch(int fd, uint32_t events, std::function<void(uint32_t)> callback);
  void change(int fd, uint32_t events);
  void unwatch(int fd);

  TimerId after(std::chrono::milliseconds delay, std::function<void()> callback);
  void cancel(TimerId timer);

 private:
  struct Timer {
    TimerId id;
    std::function<void()> callback;
  };
  int wait_ms() const;
  void run_posted();
  void run_timers();

  const int epoll_fd_, wake_fd_;
  // Loop thread only.
  struct Watch {
    uint32_t serial;
    std::shared_ptr<std::function<void(uint32_t)>> callback;
  };
  std::map<int, Watch> watches_;
  uint32_t last_serial_ = 0;  // distinguishes a descriptor from an earlier one with the same number
  std::multimap<Clock::time_point, Timer> timers_;
  TimerId last_timer_ = 0;
  bool running_ = true;
  // Handed over.
  std::atomic<std::thread::id> thread_;  // that is in run()
  Mutex mutex_;
  std::vector<std::function<void()>> posted_ HEDDLE_GUARDED_BY(mutex_);
  bool ended_ HEDDLE_GUARDED_BY(mutex_) = false;
};

}  // namespace heddle::base
