// OPTIONS: --plain-accesses=visible
// The sequentially consistent reading: every shared access is a scheduling point.
#include <assert.h>
#include <pthread.h>

static int x, y, seen_x, seen_y;

static void *left(void *arg) {
  x = 1;       // RACE?
  seen_y = y;  // RACE?
  return arg;
}

static void *right(void *arg) {
  y = 1;       // RACE?
  seen_x = x;  // RACE?
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(seen_x || seen_y);
  assert(!(seen_x && seen_y));  // ASSERT!
  return 0;
}
