// Main returns while the worker may still run.
#include <pthread.h>

static int value;

static void *worker(void *arg) {
  value = 1;  // ERROR(thread-leak)?
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);  // ERROR(thread-leak)!
  return 0;  // ERROR(thread-leak)?
}
