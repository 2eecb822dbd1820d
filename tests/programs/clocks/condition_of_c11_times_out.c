// A wait of C11 that timed out is taken for the event.
#include <threads.h>
#include <time.h>
#include <assert.h>
#include <stdbool.h>
mtx_t m; cnd_t c; bool ready;
static int w(void *p) { mtx_lock(&m); ready = true; cnd_signal(&c); mtx_unlock(&m); return 0; }
int main(void) { thrd_t t; mtx_init(&m, mtx_plain); cnd_init(&c); thrd_create(&t, w, 0);
  struct timespec end; timespec_get(&end, TIME_UTC); end.tv_sec += 2;
  mtx_lock(&m); while (!ready) if (cnd_timedwait(&c, &m, &end) == thrd_timedout) break;
  assert(ready);  // ERROR(assertion)!
  mtx_unlock(&m); thrd_join(t, 0); cnd_destroy(&c); mtx_destroy(&m); }
