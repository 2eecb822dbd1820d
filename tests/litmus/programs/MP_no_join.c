// Without a join, a read races with the other thread.
// source: ISO C17, 5.1.2.4
// toy: MP+no-join
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: sc tso ra rc11
// data race under: sc tso ra rc11
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static int main_r0;

static void* first(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t first_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  main_r0 = x;
  pthread_join(first_thread, NULL);
  assert(!(main_r0 == 0));
  return 0;
}
