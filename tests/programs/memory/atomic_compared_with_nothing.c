// A compare-exchange decides by what is there: a lock of one word that nobody has set to zero.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct counter {
  _Atomic int taken;
  int value;
};

static void *adds(void *arg) {
  struct counter *counter = arg;
  int expected = 0;
  if (!atomic_compare_exchange_strong(&counter->taken, &expected, 1)) return NULL;  // ERROR(uninitialised-read)!
  counter->value++;
  atomic_store(&counter->taken, 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct counter *counter = malloc(sizeof *counter);
  if (counter == NULL) return 1;
  counter->value = 0;
  pthread_create(&thread, NULL, adds, counter);
  pthread_join(thread, NULL);
  free(counter);
  return 0;
}
