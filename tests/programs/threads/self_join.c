// A thread joins itself.
#include <pthread.h>

static void *worker(void *arg) {
  pthread_join(pthread_self(), NULL);  // ERROR(thread-misuse|deadlock)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);  // ERROR(deadlock|thread-misuse)?
  return 0;
}
