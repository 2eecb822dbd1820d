// STEP1: misses
// STEP2: finds
// The first kind of miss: the other thread has to run before the statement in front of the edit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *first(void *arg) {
  x++;
  assert(x != 3);  // ASSERT!
  return arg;
}

static void *second(void *arg) {
  x = 2;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
