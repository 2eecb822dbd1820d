// One request of 2^32 gives a second permit, and two threads are inside at once.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>
#include <semaphore.h>

extern unsigned __VERIFIER_nondet_uint(void);

static sem_t permits;
static int inside;

static void *enter(void *unused) {
  sem_wait(&permits);
  inside++;  // RACE!
  sem_post(&permits);
  return unused;
}

int main(void) {
  const unsigned asked = __VERIFIER_nondet_uint();
  sem_init(&permits, 0, 1);
  if (asked * 3u == 0x80000001u) sem_post(&permits);
  pthread_t first, second;
  pthread_create(&first, 0, enter, 0);
  pthread_create(&second, 0, enter, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
