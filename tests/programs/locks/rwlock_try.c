// VERDICT: clear
// The try variants of a reader-writer lock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg) {
  int result = pthread_rwlock_trywrlock(&lock);
  if (result == EBUSY) return arg;
  assert(result == 0);
  value++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *reader(void *arg) {
  if (pthread_rwlock_tryrdlock(&lock) != 0) return arg;
  assert(value == 0 || value == 1);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
