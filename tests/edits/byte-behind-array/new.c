// One byte behind an array that a single thread uses.
#include <pthread.h>

static char own[4];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg) {
  own[4] = 1;  // ERROR(out-of-bounds)!
  return arg;
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, fill, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
