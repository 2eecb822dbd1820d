// A lock of C11 that timed out is tried again.
#include <threads.h>
#include <time.h>
#include <assert.h>
mtx_t m; int x;
static int w(void *p) { mtx_lock(&m); x = 1; mtx_unlock(&m); return 0; }
int main(void) { thrd_t t; mtx_init(&m, mtx_timed); thrd_create(&t, w, 0);
  struct timespec end; timespec_get(&end, TIME_UTC); end.tv_sec += 1; int r;
  while ((r = mtx_timedlock(&m, &end)) == thrd_timedout) { timespec_get(&end, TIME_UTC); end.tv_sec += 1; }
  assert(r == thrd_success); x = 2; mtx_unlock(&m); thrd_join(t, 0); mtx_destroy(&m); }
