// As POSIX: a wait with a time limit of C11 beside one without, in threads with a mutex each.
#include <threads.h>
#include <time.h>

static cnd_t c;
static mtx_t a, b;

static int worker(void *arg) {
  struct timespec until;
  timespec_get(&until, TIME_UTC);
  (void)arg;
  mtx_lock(&a);
  cnd_timedwait(&c, &a, &until);  // ERROR(lock-misuse)!
  mtx_unlock(&a);
  return 0;
}

int main(void) {
  thrd_t t;
  struct timespec until;
  cnd_init(&c), mtx_init(&a, mtx_plain), mtx_init(&b, mtx_plain);
  thrd_create(&t, worker, NULL);
  timespec_get(&until, TIME_UTC);
  mtx_lock(&b);
  cnd_timedwait(&c, &b, &until);  // ERROR(lock-misuse)?
  mtx_unlock(&b);
  thrd_join(t, NULL);
  return 0;
}
