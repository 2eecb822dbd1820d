// A thread pool with futures, a cache behind a shared_mutex, a logger with its own thread; a computation on top.
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <vector>

class Logger {
 public:
  Logger() : writer_([this] { run(); }) {}
  ~Logger() {
    {
      std::lock_guard lock(mutex_);
      done_ = true;
    }
    ready_.notify_one();
    writer_.join();
  }
  void log(std::string line) {
    {
      std::lock_guard lock(mutex_);
      lines_.push(std::move(line));
    }
    ready_.notify_one();
  }
  size_t written() const { return written_; }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ready_.wait(lock, [this] { return done_ || !lines_.empty(); });
      while (!lines_.empty()) {
        std::string line = std::move(lines_.front());
        lines_.pop();
        lock.unlock();
        bytes_ += line.size();
        ++written_;
        lock.lock();
      }
      if (done_) return;
    }
  }
  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<std::string> lines_;
  bool done_ = false;
  std::atomic<size_t> written_{0}, bytes_{0};
  std::thread writer_;
};

class Pool {
 public:
  explicit Pool(size_t size) {
    for (size_t n = 0; n < size; ++n) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    ready_.notify_all();
    for (auto& worker : workers_) worker.join();
  }
  template <typename Call, typename... Arguments>
  auto submit(Call&& call, Arguments&&... arguments) {
    using Result = std::invoke_result_t<std::decay_t<Call>, std::decay_t<Arguments>...>;
    auto task = std::make_shared<std::packaged_task<Result()>>(
        std::bind(std::forward<Call>(call), std::forward<Arguments>(arguments)...));
    std::future<Result> result = task->get_future();
    {
      std::lock_guard lock(mutex_);
      if (stop_) throw std::runtime_error("the pool is closed");
      tasks_.emplace([task] { (*task)(); });
    }
    ready_.notify_one();
    return result;
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop();
      }
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<std::function<void()>> tasks_;
  std::vector<std::thread> workers_;
  bool stop_ = false;
};

template <typename Key, typename Value>
class Cache {
 public:
  explicit Cache(size_t most) : most_(most) {}
  std::optional<Value> find(const Key& key) const {
    std::shared_lock lock(mutex_);
    const auto at = entries_.find(key);
    if (at == entries_.end()) return std::nullopt;
    return at->second->second;
  }
  void put(const Key& key, Value value) {
    std::unique_lock lock(mutex_);
    if (const auto at = entries_.find(key); at != entries_.end()) {
      at->second->second = std::move(value);
      order_.splice(order_.begin(), order_, at->second);
      return;
    }
    order_.emplace_front(key, std::move(value));
    entries_[key] = order_.begin();
    if (entries_.size() > most_) {
      entries_.erase(order_.back().first);
      order_.pop_back();
    }
  }
  size_t size() const {
    std::shared_lock lock(mutex_);
    return entries_.size();
  }

 private:
  const size_t most_;
  mutable std::shared_mutex mutex_;
  std::list<std::pair<Key, Value>> order_;
  std::unordered_map<Key, typename std::list<std::pair<Key, Value>>::iterator> entries_;
};

static unsigned long collatz(unsigned long n) {
  unsigned long steps = 0;
  for (; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

int main() {
  Logger logger;
  Cache<unsigned long, unsigned long> cache(16);
  std::array<std::future<unsigned long>, 5> futures;
  std::vector<unsigned long> results;
  {
    Pool pool(2);
    const auto cached = [&](unsigned long n) {
      if (const auto known = cache.find(n)) return *known;
      const unsigned long steps = collatz(n);
      cache.put(n, steps);
      logger.log("collatz(" + std::to_string(n) + ")");
      return steps;
    };
    for (size_t n = 0; n < futures.size(); ++n) futures[n] = pool.submit(cached, 3 + 2 * n);
    auto failing = pool.submit([]() -> int { throw std::invalid_argument("no such task"); });
    auto text = pool.submit([](std::string a, const char* b) { return a + b; }, std::string("joined "), "text");
    for (auto& future : futures) results.push_back(future.get());
    try {
      failing.get();
    } catch (const std::invalid_argument& error) {
      std::cout << "failed: " << error.what() << '\n';
    }
    std::cout << text.get() << '\n';
  }
  for (unsigned long result : results) std::cout << result << ' ';
  std::cout << "cache " << cache.size() << '\n';
  std::ostringstream line;
  line << "max " << *std::max_element(results.begin(), results.end()) << " sum "
       << std::accumulate(results.begin(), results.end(), 0ul);
  std::cout << line.str() << '\n';
  for (unsigned long n = 1; n <= 20; ++n) cache.put(n, n * n);
  std::cout << cache.size() << ' ' << cache.find(20).value_or(0) << ' ' << cache.find(3).has_value() << '\n';
}
