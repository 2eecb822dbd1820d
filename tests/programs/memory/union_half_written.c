// A union whose smaller member was written.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

union value {
  char byte;
  int number;
};

static void *works(void *p) {
  union value *value = malloc(sizeof *value);
  value->byte = 1;
  const int large = value->number > 5;  // ERROR(uninitialised-read)!
  free(value);
  if (large) sched_yield();
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
