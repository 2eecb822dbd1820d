// The second initialisation comes while a thread waits, or before it, without order.
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void *waits(void *arg) {
  pthread_barrier_wait(&barrier);  // ERROR(lock-misuse)?
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t, NULL, waits, NULL);
  pthread_barrier_init(&barrier, NULL, 2);  // ERROR(lock-misuse)!
  pthread_barrier_wait(&barrier);           // ERROR(lock-misuse)?
  pthread_join(t, NULL);
  return 0;
}
