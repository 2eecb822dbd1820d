// VERDICT: clear
// Store buffering with sequentially consistent atomics: at most one thread enters.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int inside;

static void *left(void *arg) {
  atomic_store(&x, 1);
  if (!atomic_load(&y)) inside++;
  return arg;
}

static void *right(void *arg) {
  atomic_store(&y, 1);
  if (!atomic_load(&x)) inside++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return inside > 1;
}
