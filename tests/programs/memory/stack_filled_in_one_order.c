// How large the array is depends on the order of the threads: with both increments it does not fit.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned long megabytes = 1;

static void *more(void *unused) {
  pthread_mutex_lock(&m);
  megabytes += 4;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *works(void *unused) {
  pthread_mutex_lock(&m);
  const unsigned long size = megabytes << 20;
  pthread_mutex_unlock(&m);
  char values[size];  // ERROR(stack-overflow)!
  values[0] = values[size - 1] = 1;
  return values[0] == values[size - 1] ? unused : NULL;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, more, NULL);
  pthread_create(&b, NULL, more, NULL);
  pthread_create(&c, NULL, works, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
