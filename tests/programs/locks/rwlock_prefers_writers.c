// A lock that prefers writers: who reads twice waits for the writer in between, and the writer for him.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int x;

static int get(void) {
  pthread_rwlock_rdlock(&lock);  // DEADLOCK!
  int value = x;
  pthread_rwlock_unlock(&lock);
  return value;
}

static void *reads(void *arg) {
  pthread_rwlock_rdlock(&lock);
  get();
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  pthread_rwlock_wrlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
