// Three of four gates let main wait for ever.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>
#include <semaphore.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static sem_t gates[4];

static void *open_one(void *unused) {
  const unsigned char n = __VERIFIER_nondet_uchar() & 3;
  sem_post(&gates[n]);
  return unused;
}

int main(void) {
  for (int i = 0; i < 4; i++) sem_init(&gates[i], 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, open_one, 0);
  sem_wait(&gates[2]);  // ERROR(deadlock)!
  pthread_join(thread, 0);
  return 0;
}
