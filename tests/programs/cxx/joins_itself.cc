// std::thread::join() of the thread that runs throws, and nothing catches it.
#include <atomic>
#include <thread>

static std::thread worker;
static std::atomic<bool> ready{false};

int main() {
  worker = std::thread([] {
    while (!ready) std::this_thread::yield();
    worker.join();  // ERROR(thread-misuse|uncaught-exception)!
  });
  ready = true;
  worker.join();  // ERROR(deadlock|thread-misuse)?
}
