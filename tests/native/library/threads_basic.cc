// std::thread: start, join, detach, move, ids, arguments by value and reference, member functions, hardware_concurrency.
#include <atomic>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Worker {
  int total = 0;
  void add(int from, int to) {
    for (int n = from; n < to; ++n) total += n;
  }
  void operator()(int times) { total += times; }
};

static void append(std::string& text, const char* more, int times) {
  for (int n = 0; n < times; ++n) text += more;
}

int main() {
  std::string text = "a";
  std::thread one(append, std::ref(text), "bc", 3);
  one.join();
  std::printf("%s\n", text.c_str());

  Worker worker;
  std::thread two(&Worker::add, &worker, 0, 10);
  two.join();
  std::thread three(std::ref(worker), 5);
  three.join();
  std::printf("%d\n", worker.total);

  std::vector<std::thread> many;
  std::vector<int> results(4, 0);
  for (int n = 0; n < 4; ++n) many.emplace_back([n, &results] { results[n] = n * n; });
  for (std::thread& thread : many) thread.join();
  for (int result : results) std::printf("%d ", result);
  std::printf("\n");

  std::thread first([] {}), second;
  std::printf("%d %d\n", first.joinable(), second.joinable());
  second = std::move(first);
  std::printf("%d %d\n", first.joinable(), second.joinable());
  std::printf("%d %d\n", first.get_id() == std::thread::id(), second.get_id() == std::this_thread::get_id());
  second.join();
  std::swap(first, second);

  std::atomic<bool> ended{false};
  std::thread([&ended] { ended = true; }).detach();
  while (!ended) std::this_thread::yield();

  bool same = false;
  std::thread::id outer;
  std::thread inner([&] { outer = std::this_thread::get_id(); });
  const std::thread::id expected = inner.get_id();
  inner.join();
  same = outer == expected;
  std::printf("same id: %d\n", same);
  try {
    inner.join();
  } catch (const std::system_error& error) {
    std::printf("%s: %d\n", error.code().category().name(), error.code().value() == EINVAL);
  }
  std::printf("%d\n", std::thread::hardware_concurrency() > 0);
}
