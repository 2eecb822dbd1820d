// Mutexes of each kind, in a structure of the heap that is copied while they are free, and made again after their end.
// VERDICT: clear
#include <stdlib.h>
#include <threads.h>
#include <time.h>

struct locks {
  mtx_t plain, recursive, timed;
};
static struct locks *all;
static int count;

static int counts(void *arg) {
  struct timespec limit = {.tv_sec = 1};
  (void)arg;
  mtx_lock(&all->plain);
  mtx_lock(&all->recursive);
  mtx_lock(&all->recursive);
  count++;
  mtx_unlock(&all->recursive);
  mtx_unlock(&all->recursive);
  mtx_unlock(&all->plain);
  if (mtx_timedlock(&all->timed, &limit) == thrd_success) mtx_unlock(&all->timed);
  return 0;
}

int main(void) {
  thrd_t t;
  struct locks first;
  mtx_init(&first.plain, mtx_plain);
  mtx_init(&first.recursive, mtx_plain | mtx_recursive);
  mtx_init(&first.timed, mtx_timed);
  all = malloc(sizeof *all);
  *all = first;
  thrd_create(&t, counts, NULL);
  counts(NULL);
  thrd_join(t, NULL);
  mtx_destroy(&all->plain);
  mtx_init(&all->plain, mtx_plain);
  mtx_lock(&all->plain);
  mtx_unlock(&all->plain);
  free(all);
  return count - 2;
}
