// A time limit of a lock, of C11, was never written.
#include <threads.h>
#include <time.h>

static mtx_t m;

static int locks(void *arg) {
  struct timespec limit;
  (void)arg;
  if (mtx_timedlock(&m, &limit) == thrd_success) mtx_unlock(&m);  // ERROR(uninitialised-read)!
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_timed);
  thrd_create(&t, locks, NULL);
  thrd_join(t, NULL);
  mtx_destroy(&m);
  return 0;
}
