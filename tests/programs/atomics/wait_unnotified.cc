// std::atomic::wait for a value that nobody changes, and the std::future of a promise that nobody keeps.
// OPTIONS: -- -std=c++20
// SAYS: waits in std::atomic::wait() on 'job.state'
// SAYS: waits in std::future::get() on 'answer'
#include <atomic>
#include <future>
#include <thread>

static struct {
  int number;
  std::atomic<int> state{0};
} job;

int main() {
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread waits([] {
    job.state.wait(0);  // ERROR(deadlock)!
  });
  std::thread asks([&] {
    answer.get();  // ERROR(deadlock)?
  });
  waits.join();
  asks.join();
}
