// A structure that is returned in two registers.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

struct result {
  long value;
  int error;
};

static struct result make(void) {
  struct result result;
  result.value = 3;
  return result;  // ERROR(uninitialised-read)!
}

static void *works(void *p) {
  if (make().error) sched_yield();
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
