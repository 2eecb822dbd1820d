// A structure that comes in a register, is kept, and decides much later.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

struct point {
  int x, y;
};

static struct point kept;

static void keep(struct point point) { kept = point; }

static void *works(void *p) {
  struct point point;
  point.x = 1;
  keep(point);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  if (kept.x == 2) return 2;
  if (kept.y) return 1;  // ERROR(uninitialised-read)!
  return 0;
}
