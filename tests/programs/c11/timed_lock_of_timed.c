// A C11 mutex that was made for time limits is waited for with one.
#include <threads.h>
#include <time.h>

static mtx_t m;
static int jobs;

static int worker(void *unused) {
  (void)unused;
  struct timespec until;
  timespec_get(&until, TIME_UTC);
  until.tv_sec += 1;
  if (mtx_timedlock(&m, &until) != thrd_success) return 1;
  jobs++;
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&m, mtx_timed);
  thrd_create(&thread, worker, NULL);
  mtx_lock(&m);
  jobs++;
  mtx_unlock(&m);
  thrd_join(thread, NULL);
  mtx_destroy(&m);
  return 0;
}
