// In C++ a cancelled thread runs its destructors on the way out; catch (...) has to throw on. printf may be a
// cancellation point, too, and a destructor lets nothing out.
// OUTCOME: exit 0, prints "caught d C"
// OUTCOME: exit 0, prints "d N"
// OUTCOME: uncaught-exception, prints ""
// FINDINGS: uncaught-exception
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>

#include <cstdio>

struct Guard {
  ~Guard() { std::printf("d "); }
};

void* work(void*) {
  Guard guard;
  try {
    pthread_testcancel();
  } catch (...) {
    std::printf("caught ");
    throw;
  }
  return nullptr;
}

int main() {
  pthread_t t;
  void* result;
  pthread_create(&t, nullptr, work, nullptr);
  pthread_cancel(t);
  pthread_join(t, &result);
  std::printf(result == PTHREAD_CANCELED ? "C" : "N");
}
