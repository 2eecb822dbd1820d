// The recursion without an end is in a thread.
#include <pthread.h>

static int spin(int n) { return spin(n + 1) + n; }  // ERROR(stack-overflow)!

static void *worker(void *arg) {
  return spin(0) ? arg : NULL;  // ERROR(stack-overflow)?
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
