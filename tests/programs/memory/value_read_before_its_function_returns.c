// The same with a function that returns; what the worker does with the value races.
#include <pthread.h>
#include <stddef.h>

static int total;
static pthread_t t;

static void *works(void *p) {
  const int given = *(int *)p;  // ERROR(use-after-free)! RACE?
  total = given;                // RACE!
  return NULL;
}

static void starts(void) {
  int value = 1;
  pthread_create(&t, NULL, works, &value);
}  // RACE?

int main(void) {
  starts();
  total++;  // RACE!
  pthread_join(t, NULL);
  return 0;
}
