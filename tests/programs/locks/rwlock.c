// VERDICT: clear
// Readers share, the writer is alone.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  assert(low == high);
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  low++;
  high++;
  pthread_rwlock_unlock(&lock);
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
  pthread_rwlock_destroy(&lock);
  return 0;
}
