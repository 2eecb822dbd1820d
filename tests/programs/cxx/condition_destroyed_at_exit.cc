// The destructor of a global condition variable runs while a detached thread waits for it: told at its declaration.
// SAYS: destroys ready while worker 1 waits for it
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex gate;
static std::condition_variable ready;  // ERROR(lock-misuse)!

static void work() {
  std::unique_lock lock(gate);
  ready.wait(lock, [] { return false; });  // ERROR(lock-misuse)?
}

int main() {
  std::thread worker(work);
  worker.detach();
}
