// The least number divided by minus one.
#include <limits.h>
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int negated(int v) {
  volatile int k = v;
  return k / -1;  // ERROR(trap)!
}

static void *work(void *arg) {
  negated(INT_MIN);
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
