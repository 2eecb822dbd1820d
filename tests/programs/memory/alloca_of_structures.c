// SAYS: data race on 'all->one[0].count' (allocated at alloca_of_structures.c:
// An array of structures in memory of alloca(), as pools of workers have it.
#include <alloca.h>
#include <pthread.h>

struct one {
  struct all *all;
  long count;
};
struct all {
  struct one *one;
};

static void *worker(void *arg) {
  struct all *all = ((struct one *)arg)->all;
  all->one[0].count++;  // RACE!
  return 0;
}

int main(void) {
  pthread_t threads[2];
  struct all all;
  all.one = alloca(2 * sizeof *all.one);
  for (int n = 0; n < 2; ++n) all.one[n].all = &all, all.one[n].count = 0;
  for (int n = 0; n < 2; ++n) pthread_create(&threads[n], 0, worker, &all.one[n]);
  for (int n = 0; n < 2; ++n) pthread_join(threads[n], 0);
  return 0;
}
