// notify_one may wake either waiter, and a waiter that has not begun to wait takes a token without being woken.
// OUTCOME: exit 0, prints "ab"
// OUTCOME: exit 0, prints "ba"
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
int tokens;

void take(const char* name) {
  std::unique_lock lock(m);
  c.wait(lock, [] { return tokens > 0; });
  --tokens;
  std::printf("%s", name);
}

int main() {
  std::thread a(take, "a"), b(take, "b");
  for (int n = 0; n < 2; ++n) {
    {
      std::lock_guard lock(m);
      ++tokens;
    }
    c.notify_one();
  }
  a.join();
  b.join();
}
