// As timed_wait_too_late.c, in C11, where a broadcast comes too late for two threads.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int work(void *p) {
  struct timespec end = {1, 0};
  mtx_lock(&m);
  int r = thrd_success;
  while (!ready && r == thrd_success) r = cnd_timedwait(&c, &m, &end);
  if (r == thrd_timedout) assert(!ready);  // ERROR(assertion)!
  mtx_unlock(&m);
  return p != 0;
}

int main(void) {
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_t t[2];
  for (int i = 0; i < 2; ++i) thrd_create(&t[i], work, 0);
  mtx_lock(&m);
  ready = 1;
  cnd_broadcast(&c);
  mtx_unlock(&m);
  for (int i = 0; i < 2; ++i) thrd_join(t[i], 0);
  return 0;
}
