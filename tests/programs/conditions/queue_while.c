// VERDICT: clear
// A bounded queue with two condition variables and predicate loops.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int slot, count;

static void put(int value) {
  pthread_mutex_lock(&m);
  while (count == 1) pthread_cond_wait(&not_full, &m);
  slot = value;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
}

static int take(void) {
  pthread_mutex_lock(&m);
  while (count == 0) pthread_cond_wait(&not_empty, &m);
  assert(count == 1);
  int value = slot;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
  return value;
}

static void *consumer(void *arg) {
  int a = take(), b = take();
  assert(a == 1 && b == 2);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, consumer, NULL);
  put(1);
  put(2);
  pthread_join(t, NULL);
  return 0;
}
