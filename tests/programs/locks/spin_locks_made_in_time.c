// Spin locks that are initialised where they lie, copied while they are free, and made again after their end.
// VERDICT: clear
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct counter {
  pthread_spinlock_t lock;
  int count;
};
static struct counter *shared;

static void *counts(void *arg) {
  pthread_spin_lock(&shared->lock);
  shared->count++;
  pthread_spin_unlock(&shared->lock);
  return arg;
}

int main(void) {
  pthread_t t;
  struct counter first;
  memset(&first, 0, sizeof first);
  pthread_spin_init(&first.lock, PTHREAD_PROCESS_PRIVATE);
  shared = malloc(sizeof *shared);
  *shared = first;
  pthread_create(&t, NULL, counts, NULL);
  if (pthread_spin_trylock(&shared->lock) == 0) pthread_spin_unlock(&shared->lock);
  pthread_join(t, NULL);
  pthread_spin_destroy(&shared->lock);
  pthread_spin_init(&shared->lock, PTHREAD_PROCESS_PRIVATE);
  counts(NULL);
  free(shared);
  return 0;
}
