#include "thread_pool.h"

namespace quotes {

ThreadPool::ThreadPool(unsigned workers) {
  workers_.reserve(workers);
  for (unsigned i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  close();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::close() {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true;
  }
  not_empty_.notify_all();
}

void ThreadPool::enqueue(std::function<void()> task) {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    if (closed_) throw std::logic_error("the pool is closed");
    tasks_.push_back(std::move(task));
  }
  not_empty_.notify_one();
}

void ThreadPool::work() {
  while (true) {
    std::unique_lock<std::mutex> guard(mutex_);
    not_empty_.wait(guard, [this] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    guard.unlock();
    task();
  }
}

}  // namespace quotes
