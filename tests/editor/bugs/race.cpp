#include <mutex>
#include <thread>
class Counter {
 public:
  void add() {
    std::lock_guard<std::mutex> guard(mutex_);
    value_++;
  }
  int value() {
    std::lock_guard<std::mutex> guard(mutex_);  // here
    return value_;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
};
int main() {
  Counter counter;
  std::thread thread([&] { counter.add(); });
  const int seen = counter.value();
  thread.join();
  return seen > 1;
}
