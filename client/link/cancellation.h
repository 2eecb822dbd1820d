// Lets another thread end a wait: for a daemon that does not start, or a call that is not answered.
//
// In:      cancel(), once and for good; the waits that heed it.
// Out:     happened(), and a call of what a wait has set as its end.
// Owns:    nothing but its state.
// Threads: any. An end runs on the thread that cancels, under the lock, or in the Until that comes too late.
// Fails:   never.
#pragma once

#include <functional>
#include <utility>

#include "server/base/mutex.h"

namespace heddle::client {

class Cancellation {
 public:
  void cancel() {
    const base::MutexLock lock(mutex_);
    if (std::exchange(happened_, true)) return;
    if (end_) end_();
  }
  bool happened() const {
    const base::MutexLock lock(mutex_);
    return happened_;
  }

  // While it lives, `end` is called if the wait is cancelled. One at a time.
  class Until {
   public:
    Until(Cancellation& cancellation, std::function<void()> end) : cancellation_(cancellation) {
      const base::MutexLock lock(cancellation_.mutex_);
      if (cancellation_.happened_) end();
      cancellation_.end_ = std::move(end);
    }
    ~Until() {
      const base::MutexLock lock(cancellation_.mutex_);
      cancellation_.end_ = nullptr;
    }
    Until(const Until&) = delete;
    Until& operator=(const Until&) = delete;

   private:
    Cancellation& cancellation_;
  };

 private:
  mutable base::Mutex mutex_;
  bool happened_ HEDDLE_GUARDED_BY(mutex_) = false;
  std::function<void()> end_ HEDDLE_GUARDED_BY(mutex_);
};

}  // namespace heddle::client
