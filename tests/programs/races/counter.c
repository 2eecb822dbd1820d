// Two threads increment a plain counter.
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
  counter++;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return counter > 2;
}
