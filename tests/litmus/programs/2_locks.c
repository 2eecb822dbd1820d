// Two threads under a mutex: as many graphs as orders of the critical sections.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// toy: 2-locks
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first_r0, second_r0;

static void* first(void* unused) {
  pthread_mutex_lock(&m);
  first_r0 = x;
  x = first_r0 + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&m);
  second_r0 = x;
  x = second_r0 + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(x == 1));
  return 0;
}
