// The error path returns without unlocking; the second caller waits for ever.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items = 1;

static int take(void) {
  pthread_mutex_lock(&m);  // DEADLOCK!
  if (items == 0) return -1;
  items--;
  pthread_mutex_unlock(&m);
  return 0;
}

static void *worker(void *arg) {
  take();
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_create(&c, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
