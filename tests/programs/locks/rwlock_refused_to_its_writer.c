// A thread that writes asks for the lock again and is refused. Who reads can still come before it took the lock at all.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  value = 1;  // ERROR(data-race)!
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_wrlock(&lock);
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&other);  // ERROR(deadlock)!
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_create(&c, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
