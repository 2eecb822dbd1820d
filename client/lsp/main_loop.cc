#include "client/lsp/main_loop.h"

namespace heddle::client::lsp {

void MainLoop::post(Work work) {
  {
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void MainLoop::after(std::chrono::milliseconds delay, Work work) {
  {
    std::lock_guard lock(mutex_);
    timers_.emplace(Clock::now() + delay, std::move(work));
  }
  wake_.notify_one();
}

void MainLoop::run() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    Work work;
    // What the client said comes before timers that are due.
    if (!posted_.empty()) {
      work = std::move(posted_.front());
      posted_.pop_front();
    } else if (!timers_.empty() && timers_.begin()->first <= Clock::now()) {
      work = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
    } else if (timers_.empty()) {
      wake_.wait(lock);
      continue;
    } else {
      wake_.wait_until(lock, timers_.begin()->first);
      continue;
    }
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

void MainLoop::stop() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_one();
}

}  // namespace heddle::client::lsp
