// A reader-writer lock is made by an attribute of the heap that was never initialised.
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t l;

static void *reads(void *arg) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_rwlockattr_t *attribute = malloc(sizeof *attribute);
  pthread_rwlock_init(&l, attribute);  // ERROR(uninitialised-read)!
  pthread_create(&t, NULL, reads, NULL);
  pthread_join(t, NULL);
  free(attribute);
  return 0;
}
