#include "client/lsp/worker.h"

namespace heddle::client::lsp {

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Worker::post(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void Worker::run() {
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopped_ || !posted_.empty(); });
      if (stopped_) return;
      work = std::move(posted_.front());
      posted_.pop_front();
    }
    work();
  }
}

}  // namespace heddle::client::lsp
