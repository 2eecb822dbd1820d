// Workers that run tasks; each task answers through a future. What a task throws comes out of its future.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace quotes {

class ThreadPool {
 public:
  explicit ThreadPool(unsigned workers);
  ~ThreadPool();  // runs what was submitted, then joins
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Throws std::logic_error after close().
  template <typename Function>
  std::future<std::invoke_result_t<Function>> submit(Function function) {
    using Result = std::invoke_result_t<Function>;
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(function));
    std::future<Result> answer = task->get_future();
    enqueue([task] { (*task)(); });
    return answer;
  }

  void close();  // no more tasks; workers end once the queue is empty

 private:
  void enqueue(std::function<void()> task);
  void work();

  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace quotes
