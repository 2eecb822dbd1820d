// A recursive C11 mutex is unlocked by a thread that does not have it.
#include <threads.h>

static mtx_t m;

static int worker(void *arg) {
  (void)arg;
  mtx_unlock(&m);  // ERROR(lock-misuse)!
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_recursive);
  mtx_lock(&m);
  thrd_create(&t, worker, NULL);
  thrd_join(t, NULL);
  mtx_unlock(&m);
  mtx_destroy(&m);
  return 0;
}
