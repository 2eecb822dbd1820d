// The same of an array in a structure, in an array.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

struct row {
  int cells[2], sum;
};

static void *works(void *p) {
  struct row rows[2];
  rows[0].cells[1] = 1;
  rows[1].sum = 3;
  if (rows[1].cells[1] == 7) sched_yield();  // ERROR(uninitialised-read)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
