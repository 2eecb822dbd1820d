// `if` instead of `while`: another consumer takes the item between the signal and the wake-up.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int count;

static void put(void) {
  pthread_mutex_lock(&m);
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
}

static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  if (count == 0) pthread_cond_wait(&not_empty, &m);
  assert(count > 0);  // ASSERT!
  count--;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  put();
  put();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
