// A lock of C11 that timed out is used as if it were held.
#include <threads.h>
#include <time.h>
#include <assert.h>
mtx_t m; int x;
static int w(void *p) { mtx_lock(&m); x = 1;  // RACE!
  mtx_unlock(&m); return 0; }
int main(void) { thrd_t t; mtx_init(&m, mtx_timed); thrd_create(&t, w, 0);
  struct timespec end; timespec_get(&end, TIME_UTC); end.tv_sec += 1;
  int got = mtx_timedlock(&m, &end);
  x = 2;  // RACE!
  if (got == thrd_success) mtx_unlock(&m); thrd_join(t, 0); mtx_destroy(&m); }
