// Stealing pool: two workers with a queue each; who has nothing left takes from the other.
// Models:     the pools of parallel runtimes, with locked queues. Half of the tasks make one more task each.
// Threads:    main, two workers.
// Size:       -
// Parameters: TASKS (even).
// State:      clear
#include <atomic>
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#ifndef TASKS
#define TASKS 4
#endif
constexpr int kWorkers = 2;

class StealingPool {
 public:
  void push(int worker, int task) {
    std::lock_guard<std::mutex> lock(queues_[worker].mutex);
    queues_[worker].tasks.push_back(task);
    left_.fetch_add(1);
  }
  void run() {
    std::vector<std::thread> workers;
    for (int n = 0; n < kWorkers; ++n) workers.emplace_back([this, n] { work(n); });
    for (std::thread& worker : workers) worker.join();
  }
  int done(int task) const { return done_[task]; }

 private:
  struct Queue {
    std::mutex mutex;
    std::deque<int> tasks;
  };
  bool take(int worker, bool own, int& task) {
    Queue& queue = queues_[worker];
    std::lock_guard<std::mutex> lock(queue.mutex);
    if (queue.tasks.empty()) return false;
    if (own) {
      task = queue.tasks.back();
      queue.tasks.pop_back();
    } else {
      task = queue.tasks.front();
      queue.tasks.pop_front();
    }
    return true;
  }
  void work(int me) {
    int task = 0;
    while (left_.load() > 0) {
      if (!take(me, true, task) && !take(1 - me, false, task)) {
        std::this_thread::yield();
        continue;
      }
      ++done_[task];
      if (task < TASKS / 2) push(me, task + TASKS / 2);
      left_.fetch_sub(1);
    }
  }
  Queue queues_[kWorkers];
  std::atomic<int> left_{0};
  int done_[TASKS] = {};
};

int main() {
  StealingPool pool;
  for (int task = 0; task < TASKS / 2; ++task) pool.push(task % 2, task);
  pool.run();
  for (int task = 0; task < TASKS; ++task) assert(pool.done(task) == 1);
  return 0;
}
