// VERDICT: clear
// std::thread::join() of the thread that runs throws, and the program catches it.
#include <atomic>
#include <cassert>
#include <system_error>
#include <thread>

static std::thread worker;
static std::atomic<bool> ready{false}, tried{false};

int main() {
  worker = std::thread([] {
    while (!ready) std::this_thread::yield();
    try {
      worker.join();
      assert(false);
    } catch (const std::system_error& error) {
      assert(error.code() == std::errc::resource_deadlock_would_occur);
    }
    tried = true;
  });
  ready = true;
  while (!tried) std::this_thread::yield();
  worker.join();
}
