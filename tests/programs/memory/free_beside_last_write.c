// The only accesses that race are a write and the free of its block. Whichever comes first, the other is no longer in
// its way, and so the two only stand next to each other for somebody who sees frees as accesses.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  *block += 2;  // RACE! ERROR(use-after-free)!
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  block = malloc(sizeof(int));
  *block = 1;
  pthread_create(&t, NULL, worker, NULL);  // ERROR(thread-leak)?
  free(block);  // RACE!
  return 0;
}
