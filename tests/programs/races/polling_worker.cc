// A worker that polls its queue: every wait has a time limit of its own, so its loop never comes back to a state. The
// owner forgets the mutex when it says that the end has come.
// SAYS: come between in the first rounds only
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Polling {
 public:
  ~Polling() {
    over_ = true;  // RACE!
    thread_.join();
  }
  void give(int job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(job);
    changed_.notify_one();
  }

 private:
  void work() {
    while (!over_) {  // RACE?
      std::unique_lock<std::mutex> guard(mutex_);
      while (!over_ && jobs_.empty()) changed_.wait_for(guard, std::chrono::microseconds(100));  // RACE?
      if (over_) break;  // RACE?
      jobs_.pop_front();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> jobs_;
  bool over_ = false;
  std::thread thread_{[this] { work(); }};
};

int main() {
  Polling worker;
  worker.give(1);
  return 0;
}
