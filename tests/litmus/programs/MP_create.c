// What a thread did before it created another happens before everything in the other.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// toy: MP+create
// graphs: sc 1 tso 1 ra 1 rc11 1
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static int first_r0;

static void* first(void* unused) {
  first_r0 = x;
  return unused;
}

int main(void) {
  pthread_t first_thread;
  x = 1;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_join(first_thread, NULL);
  assert(!(first_r0 == 0));
  return 0;
}
