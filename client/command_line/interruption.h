// Ctrl-C and the progress line's clock: one helper thread that waits for signals.
//
// In:      SIGINT, SIGTERM and SIGHUP, which it blocks for the whole process; make it before any other thread.
// Out:     one call of the callback at the first signal, a call of `tick` every 100 ms. A second signal ends the
//          process with 130.
// Owns:    its thread, which the destructor joins, and its descriptors.
// Threads: the callbacks run on the helper thread. Only a callback that is set after the signal runs at once on the
//          caller's thread. The members may be called from any.
// Fails:   never.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "server/base/mutex.h"

namespace heddle::client {

class Interruption {
 public:
  explicit Interruption(std::function<void()> tick);  // null: no clock
  ~Interruption();
  bool happened() const { return happened_; }
  // Called once: at the interruption, or at once if that was earlier. Null: forget the callback.
  void on_interrupt(std::function<void()> callback);

 private:
  void run();

  const std::function<void()> tick_;
  int wake_fd_, signal_fd_;
  std::atomic<bool> happened_ = false;
  base::Mutex mutex_;
  std::function<void()> callback_ HEDDLE_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace heddle::client
