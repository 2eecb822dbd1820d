// The lock grows with its block: the new part of what realloc gives was never written.
#include <pthread.h>
#include <stdlib.h>

static void *reads(void *arg) {
  pthread_rwlock_t *locks = arg;
  if (pthread_rwlock_tryrdlock(&locks[1]) == 0) pthread_rwlock_unlock(&locks[1]);  // ERROR(lock-misuse)!
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_t *locks = malloc(sizeof *locks);
  if (locks == NULL) return 1;
  pthread_rwlock_init(&locks[0], NULL);
  pthread_rwlock_t *more = realloc(locks, 2 * sizeof *more);
  if (more == NULL) return 1;
  pthread_create(&thread, NULL, reads, more);
  pthread_join(thread, NULL);
  free(more);
  return 0;
}
