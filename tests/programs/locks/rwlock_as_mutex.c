// Locked as a reader-writer lock, given back as a mutex.
// SAYS: a reader-writer lock, as a mutex
#include <pthread.h>

static union {
  pthread_mutex_t m;
  pthread_rwlock_t l;
} u;
static int n;

static void *worker(void *arg) {
  pthread_rwlock_wrlock(&u.l);
  n++;
  pthread_mutex_unlock(&u.m);  // ERROR(lock-misuse)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_rwlock_rdlock(&u.l);
  n++;
  pthread_rwlock_unlock(&u.l);
  return 0;
}
