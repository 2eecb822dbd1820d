// The race loses an update: the consequence is found after the race.
#include <assert.h>
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
  assert(counter == 2);  // ASSERT!
  return 0;
}
