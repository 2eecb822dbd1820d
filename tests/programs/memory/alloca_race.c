// Memory of alloca() is named as heap blocks are, by the call.
// SAYS: data race on 'memory allocated at alloca_race.c:
#include <alloca.h>
#include <pthread.h>

static void *worker(void *counter) {
  ++*(int *)counter;  // RACE!
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int *counters = alloca(2 * sizeof *counters);
  counters[0] = counters[1] = 0;
  for (int n = 0; n < 2; ++n) pthread_create(&threads[n], 0, worker, &counters[1]);
  for (int n = 0; n < 2; ++n) pthread_join(threads[n], 0);
  return counters[0];
}
