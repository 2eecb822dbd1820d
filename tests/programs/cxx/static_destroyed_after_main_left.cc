// The destructor of a static object runs in the last thread.
#include <cassert>
#include <pthread.h>
#include <thread>

static int stored;

static struct Looks {
  ~Looks() {
    assert(!stored);  // ERROR(assertion)!
  }
} looks;

int main() {
  std::thread([] { stored = 1; }).detach();
  pthread_exit(nullptr);
}
