// A queue whose stop() forgets to wake the consumer.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  void push(int value) {
    std::lock_guard<std::mutex> lock(mutex_);
    values_.push_back(value);
    ready_.notify_one();
  }
  void stop() {
    std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  void consume() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      ready_.wait(lock, [this] { return stopped_ || !values_.empty(); });
      if (values_.empty()) return;
      values_.pop_front();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<int> values_;
  bool stopped_ = false;
};

int main() {
  Queue queue;
  std::thread consumer(&Queue::consume, &queue);
  queue.push(1);
  queue.stop();
  consumer.join();
}
