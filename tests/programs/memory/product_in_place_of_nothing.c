// A number that was never written is multiplied where it is, and read by another function.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static int is_seven(const int *number) { return *number == 7; }  // ERROR(uninitialised-read)!

static void *works(void *p) {
  int number;
  number *= 3;
  number = ~number;
  if (is_seven(&number)) sched_yield();
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
