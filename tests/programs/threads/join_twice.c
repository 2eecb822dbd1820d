// A thread is joined twice.
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_join(t, NULL);  // ERROR(thread-misuse)!
  return 0;
}
