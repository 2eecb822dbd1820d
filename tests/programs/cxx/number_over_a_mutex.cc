// An index that is too large.
#include <mutex>
#include <thread>

struct Shelf {
  int sizes[2] = {};
  std::mutex lock;
};

int main() {
  Shelf shelf;
  int *all = shelf.sizes;
  std::thread t([all] {
    for (int n = 0; n < 3; n++) all[n] = n;
  });
  t.join();
  std::lock_guard guard(shelf.lock);  // ERROR(lock-misuse)!
}
