// Condition variables: a bounded queue, predicates, timeouts, condition_variable_any, notify_all_at_thread_exit.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t limit) : limit_(limit) {}
  void push(T value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [this] { return items_.size() < limit_; });
    items_.push_back(std::move(value));
    not_empty_.notify_one();
  }
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    T value = std::move(items_.front());
    items_.pop_front();
    not_full_.notify_one();
    return value;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  const size_t limit_;
  std::mutex mutex_;
  std::condition_variable not_empty_, not_full_;
  std::deque<T> items_;
  bool closed_ = false;
};

int main() {
  BoundedQueue<int> queue(2);
  int sum = 0, count = 0;
  std::mutex result;
  auto consume = [&] {
    while (auto value = queue.pop()) {
      std::lock_guard lock(result);
      sum += *value;
      ++count;
    }
  };
  std::thread first(consume), second(consume);
  for (int n = 1; n <= 8; ++n) queue.push(n);
  queue.close();
  first.join();
  second.join();
  std::printf("%d of %d\n", sum, count);

  std::mutex mutex;
  std::condition_variable ready;
  bool flag = false;
  {
    std::unique_lock lock(mutex);
    std::printf("%d\n", ready.wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::timeout);
    std::printf("%d\n", ready.wait_for(lock, std::chrono::milliseconds(1), [&] { return flag; }));
    std::printf("%d\n", ready.wait_until(lock, std::chrono::system_clock::now() + std::chrono::milliseconds(1)) ==
                            std::cv_status::timeout);
  }
  std::thread setter([&] {
    std::lock_guard lock(mutex);
    flag = true;
    ready.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    ready.wait(lock, [&] { return flag; });
    std::printf("flag %d, lock %d\n", flag, lock.owns_lock());
  }
  setter.join();

  std::shared_mutex shared;
  std::condition_variable_any any;
  bool go = false;
  int seen = 0;
  std::thread waiter([&] {
    std::shared_lock lock(shared);
    any.wait(lock, [&] { return go; });
    seen = 1;
  });
  {
    std::unique_lock lock(shared);
    go = true;
  }
  any.notify_all();
  waiter.join();
  std::printf("seen %d\n", seen);
  {
    std::unique_lock lock(mutex);
    std::printf("any timeout %d\n", any.wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::timeout);
  }

  bool ended = false;
  std::thread late([&] {
    std::unique_lock lock(mutex);
    ended = true;
    std::notify_all_at_thread_exit(ready, std::move(lock));
  });
  {
    std::unique_lock lock(mutex);
    ready.wait(lock, [&] { return ended; });
  }
  late.join();
  std::printf("ended %d\n", ended);
}
