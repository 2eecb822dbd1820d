// A structure that is returned in one register.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

struct point {
  int x, y;
};

static struct point make(void) {
  struct point point;
  point.y = 1;
  return point;  // ERROR(uninitialised-read)!
}

static void *works(void *p) {
  struct point point = make();
  if (point.y && point.x) sched_yield();
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
