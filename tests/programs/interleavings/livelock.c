// The flag is set only if the other thread came first; otherwise the consumer spins for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting, go;

static void *consumer(void *arg) {
  atomic_store(&waiting, 1);
  while (!atomic_load(&go)) {  // ERROR(livelock)!
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, consumer, NULL);
  if (atomic_load(&waiting)) atomic_store(&go, 1);
  pthread_join(t, NULL);
  return 0;
}
