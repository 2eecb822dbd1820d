// What fails is decided by private values alone.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

static void *first(void *arg) {
  int n = (int)(long)arg;
  int share = 4 / (n + 1);
  (void)share;
  shared++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, (void *)0L);
  pthread_create(&b, NULL, first, (void *)1L);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
