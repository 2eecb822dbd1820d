// A thread wants to write under its own read lock, and waits for itself while the other threads go on and end.
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *arg) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock);  // DEADLOCK!
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, upgrade, NULL);  // ERROR(thread-leak)?
  exit(0);  // ERROR(thread-leak)?
}
