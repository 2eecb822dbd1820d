// mtx_timedlock meets the holder or not; cnd_timedwait is signalled, times out, or is not reached.
// OUTCOME: exit 0, prints "got"
// OUTCOME: exit 0, prints "late"
// OUTCOME: exit 0, prints "got-"
// OUTCOME: exit 0, prints "late-"
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t timed, m;
static cnd_t c;
static int ready;

static int work(void* p) {
  mtx_lock(&timed);
  mtx_unlock(&timed);
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t t;
  const struct timespec until = {2000000000, 0}, moment = {0, 1000};
  mtx_init(&timed, mtx_timed);
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, work, 0);
  thrd_sleep(&moment, 0);
  if (mtx_timedlock(&timed, &until) == thrd_success) {
    printf("got");
    mtx_unlock(&timed);
  } else {
    printf("late");
  }
  mtx_lock(&m);
  while (!ready)
    if (cnd_timedwait(&c, &m, &until) == thrd_timedout) {
      printf("-");
      break;
    }
  mtx_unlock(&m);
  thrd_join(t, 0);
  return 0;
}
