// One side uses an atomic operation, the other a plain access.
#include <pthread.h>

static int value;

static void *modern(void *arg) {
  __atomic_fetch_add(&value, 1, __ATOMIC_SEQ_CST);  // RACE!
  return arg;
}

static void *old_style(void *arg) {
  value++;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, modern, NULL);
  pthread_create(&b, NULL, old_style, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
