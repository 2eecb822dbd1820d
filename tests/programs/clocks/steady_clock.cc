// VERDICT: findings
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> ready{false};

int main() {
  std::thread worker([] { ready = true; });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (!ready && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  assert(ready);  // ERROR(assertion)!
  worker.join();
}
