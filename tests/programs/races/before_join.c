// Main reads the result before it joins.
#include <pthread.h>

static int result;

static void *worker(void *arg) {
  result = 42;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int seen = result;  // RACE!
  pthread_join(t, NULL);
  return seen > 42;
}
