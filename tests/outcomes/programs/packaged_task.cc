// Two tasks from one queue by two threads: either thread may take both.
// OUTCOME: exit 0, prints "2 4 20"
// OUTCOME: exit 0, prints "2 4 11"
// OUTCOME: exit 0, prints "2 4 02"
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

std::mutex m;
std::deque<std::packaged_task<int()>> queue;

int work() {
  int done = 0;
  while (true) {
    std::packaged_task<int()> task;
    {
      std::lock_guard lock(m);
      if (queue.empty()) return done;
      task = std::move(queue.front());
      queue.pop_front();
    }
    task();
    ++done;
  }
}

int main() {
  std::future<int> results[2];
  for (int n = 0; n < 2; ++n) {
    queue.emplace_back([n] { return 2 * n + 2; });
    results[n] = queue.back().get_future();
  }
  int other = 0;
  std::thread t([&] { other = work(); });
  const int mine = work();
  t.join();
  std::printf("%d %d %d%d", results[0].get(), results[1].get(), mine, other);
}
