// Atomic objects that are made again in each round, as a local variable and in one place of memory.
// OPTIONS: -- -std=c++20
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <atomic>
#include <cassert>
#include <new>
#include <thread>

struct Job {
  std::atomic<int> done{0};
  int result = 0;
};
alignas(Job) static unsigned char place[sizeof(Job)];

int main() {
  for (int round = 1; round <= 2; ++round) {
    std::atomic<int> ready{0};
    Job* const job = new (place) Job;
    std::thread worker([&] {
      job->result = round;
      job->done.store(round, std::memory_order_release);
      ready.fetch_add(1, std::memory_order_relaxed);
    });
    if (const int done = job->done.load(std::memory_order_acquire)) assert(done == round && job->result == round);
    assert(ready.load(std::memory_order_relaxed) <= 1);
    worker.join();
    assert(ready.load(std::memory_order_relaxed) == 1);
    job->~Job();
  }
}
