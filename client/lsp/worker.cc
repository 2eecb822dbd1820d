#include "client/lsp/worker.h"

namespace heddle::client::lsp {

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const base::MutexLock lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Worker::post(std::function<void()> work) {
  {
    const base::MutexLock lock(mutex_);
    posted_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void Worker::run() {
  for (;;) {
    std::function<void()> work;
    {
      const base::MutexLock lock(mutex_);
      while (!stopped_ && posted_.empty()) wake_.wait(mutex_);
      if (stopped_) return;
      work = std::move(posted_.front());
      posted_.pop_front();
    }
    work();
  }
}

}  // namespace heddle::client::lsp
