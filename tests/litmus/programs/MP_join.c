// What a thread did happens before a join with it returns.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// toy: MP+join
// graphs: sc 1 tso 1 ra 1 rc11 1
// assertion fails under: none
// data race under: none
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
  pthread_join(first_thread, NULL);
  main_r0 = x;
  assert(!(main_r0 == 0));
  return 0;
}
