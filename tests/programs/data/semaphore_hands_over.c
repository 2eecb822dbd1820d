// A semaphore orders the writer before the reader.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

extern short __VERIFIER_nondet_short(void);

static int square;
static sem_t ready;

static void *compute(void *unused) {
  const short n = __VERIFIER_nondet_short();
  square = n * n;
  sem_post(&ready);
  return unused;
}

int main(void) {
  sem_init(&ready, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, compute, 0);
  sem_wait(&ready);
  assert(square >= 0);
  pthread_join(thread, 0);
  sem_destroy(&ready);
  return 0;
}
