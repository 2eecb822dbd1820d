// The destructor of a static object leaves a mutex locked that is a member of it.
#include <mutex>
#include <thread>

struct Registry {
  std::mutex lock;
  ~Registry() { lock.lock(); }
};
static Registry registry;  // ERROR(lock-misuse)!

int main() {
  std::thread t([] { std::lock_guard<std::mutex> guard(registry.lock); });
  t.join();
  return 0;
}
