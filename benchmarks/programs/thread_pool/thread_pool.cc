// Thread pool: workers take tasks from one queue.
// Models:     the pool that many C++ projects have in one form or another: std::thread, one mutex, one condition
// variable.
//             The destructor lets the workers finish what is queued, and joins them.
// Threads:    main, WORKERS workers (4 in the report on real programs).
// Size:       80 to 100 lines of C++ in the projects.
// Parameters: WORKERS, TASKS (8 in the report).
// State:      clear
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 3
#endif

class ThreadPool {
 public:
  explicit ThreadPool(int threads) {
    for (int n = 0; n < threads; ++n) workers_.emplace_back([this] { work(); });
  }
  ~ThreadPool() {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      stop_ = true;
    }
    condition_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  void enqueue(std::function<void()> task) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      tasks_.push(std::move(task));
    }
    condition_.notify_one();
  }

 private:
  void work() {
    while (true) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        condition_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
        if (stop_ && tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }
  std::vector<std::thread> workers_;
  std::queue<std::function<void()>> tasks_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool stop_ = false;
};

int main() {
  int results[TASKS] = {};
  {
    ThreadPool pool(WORKERS);
    for (int n = 0; n < TASKS; ++n) pool.enqueue([n, &results] { results[n] = n * n; });
  }
  for (int n = 0; n < TASKS; ++n) assert(results[n] == n * n);
  return 0;
}
