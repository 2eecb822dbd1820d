// A variadic argument decides whether the lock is taken.
#include <pthread.h>
#include <stdarg.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void act(int n, ...) {
  va_list list;
  va_start(list, n);
  int take = va_arg(list, int);
  va_end(list);
  if (take) pthread_mutex_lock(&lock);
  count++;
  if (take) pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  act(1, 1);
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
