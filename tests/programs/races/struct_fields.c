// VERDICT: clear
// Two threads write two different fields of one struct.
#include <pthread.h>

static struct { int left; int right; } pair;

static void *write_left(void *arg) {
  pair.left = 1;  // NORACE
  return arg;
}

static void *write_right(void *arg) {
  pair.right = 2;  // NORACE
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_left, NULL);
  pthread_create(&b, NULL, write_right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return pair.left + pair.right != 3;
}
