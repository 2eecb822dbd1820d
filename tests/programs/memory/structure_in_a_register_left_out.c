// A structure that goes into one register, with a field that was never written. Another field decides first.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

struct point {
  int x, y;
};

static int is_positive(struct point point) { return point.x > 0 && point.y > 0; }

static void *works(void *p) {
  struct point point;
  point.x = 1;
  if (is_positive(point)) sched_yield();  // ERROR(uninitialised-read)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
