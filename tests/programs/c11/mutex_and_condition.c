// VERDICT: clear
// C11 threads: thrd, mtx, cnd, tss, call_once.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static tss_t slot;
static once_flag once = ONCE_FLAG_INIT;
static int ready, initialised;

static void initialise(void) { initialised++; }

static int worker(void *arg) {
  call_once(&once, initialise);
  tss_set(slot, malloc(4));
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  mtx_unlock(&m);
  return *(int *)arg;
}

int main(void) {
  thrd_t t;
  int seven = 7, result = 0;
  assert(mtx_init(&m, mtx_plain) == thrd_success);
  assert(cnd_init(&c) == thrd_success);
  assert(tss_create(&slot, free) == thrd_success);
  assert(thrd_create(&t, worker, &seven) == thrd_success);
  call_once(&once, initialise);
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  assert(thrd_join(t, &result) == thrd_success);
  assert(result == 7 && initialised == 1);
  tss_delete(slot);
  cnd_destroy(&c);
  mtx_destroy(&m);
  return 0;
}
