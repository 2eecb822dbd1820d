// One of 2^16 numbers takes the path without the post.
// SETTINGS: unknown-data: symbolic
// SAYS: = 4660

#include <pthread.h>
#include <semaphore.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static sem_t ready;

static void *work(void *unused) {
  const unsigned short n = __VERIFIER_nondet_ushort();
  if (n == 0x1234) return unused;
  sem_post(&ready);
  return unused;
}

int main(void) {
  sem_init(&ready, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  sem_wait(&ready);  // ERROR(deadlock|lost-signal)!
  pthread_join(thread, 0);
  sem_destroy(&ready);
  return 0;
}
