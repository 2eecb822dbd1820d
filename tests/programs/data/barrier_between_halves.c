// Each writes its half of a word, both read the whole after the barrier.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned short halves[2];
static unsigned results[2];
static pthread_barrier_t meeting;

static void *join_halves(void *argument) {
  const long n = (long)argument;
  halves[n] = __VERIFIER_nondet_ushort();
  pthread_barrier_wait(&meeting);
  results[n] = (unsigned)halves[1] << 16 | halves[0];
  return 0;
}

int main(void) {
  pthread_barrier_init(&meeting, 0, 2);
  pthread_t first, second;
  pthread_create(&first, 0, join_halves, (void *)0);
  pthread_create(&second, 0, join_halves, (void *)1);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(results[0] == results[1]);
  pthread_barrier_destroy(&meeting);
  return 0;
}
