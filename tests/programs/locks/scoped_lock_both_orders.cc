// Two threads that take the same two mutexes by std::scoped_lock, each in its own order: they may give way to each other
// any number of times, and one gets both in the end.
// VERDICT: clear
#include <mutex>
#include <thread>

static std::mutex first, second;
static int sum;

int main() {
  std::thread thread([] {
    std::scoped_lock both(first, second);
    ++sum;
  });
  {
    std::scoped_lock both(second, first);
    ++sum;
  }
  thread.join();
  return sum != 2;
}
