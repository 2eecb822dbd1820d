// Readers of two locks in either order: each waits behind a writer of the lock that the other one holds.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlock_t second;

static void* ab(void* arg) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&second);  // DEADLOCK!
  pthread_rwlock_unlock(&second);
  pthread_rwlock_unlock(&lock);
  return arg;
}
static void* ba(void* arg) {
  pthread_rwlock_rdlock(&second);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&second);
  return arg;
}
static void* writes(void* arg) {
  pthread_rwlock_wrlock(arg);
  pthread_rwlock_unlock(arg);
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&second, &kind);
  pthread_create(&a, 0, ab, 0);
  pthread_create(&b, 0, ba, 0);
  pthread_create(&c, 0, writes, &lock);
  writes(&second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
