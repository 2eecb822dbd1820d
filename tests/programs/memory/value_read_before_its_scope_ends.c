// The variable may end before the worker reads it. Where it does not, the worker's result is wrong, too.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *works(void *p) {
  const int given = *(int *)p;  // ERROR(use-after-free)! RACE?
  assert(given == 2);           // ERROR(assertion)!
  return NULL;
}

int main(void) {
  pthread_t t;
  {
    int value = 1;
    pthread_create(&t, NULL, works, &value);
  }  // RACE?
  pthread_join(t, NULL);
  return 0;
}
