#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int count, closed;

static void put(void) {
  pthread_mutex_lock(&m);
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
}

static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  if (count == 0 && !closed) pthread_cond_wait(&not_empty, &m);
  count -= !closed;
  assert(count >= 0);  // ASSERT!
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  put();
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
