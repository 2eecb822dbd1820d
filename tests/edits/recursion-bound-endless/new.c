// The recursion steps over its end.
#include <pthread.h>

static int depth(int n) {
  if (n == 7) return 0;
  return 1 + depth(n - 1);  // ERROR(stack-overflow)!
}

static void *worker(void *arg) {
  volatile int sum = depth(5);
  (void)sum;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
