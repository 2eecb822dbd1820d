// An array of which one element is never written.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static void *works(void *p) {
  unsigned char bytes[4];
  bytes[0] = 1;
  if (bytes[1] > 5) sched_yield();  // ERROR(uninitialised-read)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
