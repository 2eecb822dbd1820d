// The guard protects the initialisation of a static local only, not what comes after it.
#include <pthread.h>

static int& counter() {
  static int* const c = new int(0);
  return *c;
}

extern "C" void* worker(void*) {
  ++counter();  // RACE!
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, worker, nullptr);
  ++counter();  // RACE!
  pthread_join(t, nullptr);
}
