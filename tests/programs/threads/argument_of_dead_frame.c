// The thread gets the address of a local variable of a function that has returned.
#include <pthread.h>

static pthread_t t;

static void *worker(void *arg) {
  return *(int *)arg == 5 ? arg : NULL;  // ERROR(use-after-free)! RACE?
}

static void start(void) {
  int five = 5;
  pthread_create(&t, NULL, worker, &five);
}

int main(void) {
  start();
  pthread_join(t, NULL);
  return 0;
}
