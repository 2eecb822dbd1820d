// The exception leaves the function with the mutex locked: the other thread waits for ever.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void step(int n) {
  pthread_mutex_lock(&lock);  // ERROR(deadlock)!
  if (++value == n) throw n;
  pthread_mutex_unlock(&lock);
}

extern "C" void* worker(void*) {
  try {
    step(1);
  } catch (int) {
  }
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, worker, nullptr);
  try {
    step(5);
  } catch (int) {
  }
  pthread_join(t, nullptr);  // ERROR(deadlock)?
}
