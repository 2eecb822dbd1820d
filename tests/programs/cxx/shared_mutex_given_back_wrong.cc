// A std::shared_mutex is given back in another mode than it was taken: by its members, and by locks that adopt it.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex first, second;
static std::shared_timed_mutex third;

int main() {
  std::thread reader([] {
    first.lock_shared();
    first.unlock();  // ERROR(lock-misuse)!
  });
  std::thread adopter([] {
    if (!second.try_lock_shared()) return;
    std::unique_lock<std::shared_mutex> hold(second, std::adopt_lock);
  });  // ERROR(lock-misuse)!
  std::thread writer([] {
    third.lock();
    std::shared_lock<std::shared_timed_mutex> hold(third, std::adopt_lock);
  });  // ERROR(lock-misuse)!
  reader.join();
  adopter.join();
  writer.join();
}
