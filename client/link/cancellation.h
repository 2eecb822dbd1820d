// Lets another thread end a wait: for a daemon that does not start, or a call that is not answered.
//
// In:      cancel(), once and for good; the waits that heed it.
// Out:     happened(), and a call of what a wait has set as its end.
// Owns:    nothing but its state.
// Threads: any. An end runs on the thread that cancels, under the lock, or in the Until that comes too late.
// Fails:   never.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace heddle::client {

class Cancellation {
 public:
  void cancel() {
    const std::lock_guard lock(mutex_);
    if (std::exchange(happened_, true)) return;
    if (end_) end_();
  }
  bool happened() const {
    const std::lock_guard lock(mutex_);
    return happened_;
  }

  // While it lives, `end` is called if the wait is cancelled. One at a time.
  class Until {
   public:
    Until(Cancellation& cancellation, std::function<void()> end) : cancellation_(cancellation) {
      const std::lock_guard lock(cancellation_.mutex_);
      if (cancellation_.happened_) end();
      cancellation_.end_ = std::move(end);
    }
    ~Until() {
      const std::lock_guard lock(cancellation_.mutex_);
      cancellation_.end_ = nullptr;
    }
    Until(const Until&) = delete;
    Until& operator=(const Until&) = delete;

   private:
    Cancellation& cancellation_;
  };

 private:
  mutable std::mutex mutex_;
  bool happened_ = false;      // guarded by mutex_
  std::function<void()> end_;  // guarded by mutex_
};

}  // namespace heddle::client
