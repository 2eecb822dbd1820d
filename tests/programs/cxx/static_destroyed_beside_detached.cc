// Other threads continue while static objects are destroyed.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> closed;

static struct Closes {
  ~Closes() { closed = true; }
} closes;

int main() {
  std::thread([] {
    assert(!closed);  // ERROR(assertion)!
  }).detach();
}
