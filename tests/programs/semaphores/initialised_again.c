// A thread may wait for the semaphore already.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready;

static void *waits(void *arg) {
  sem_wait(&ready);  // ERROR(lock-misuse)?
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, NULL, waits, NULL);
  sem_init(&ready, 0, 1);  // ERROR(lock-misuse)!
  pthread_join(t, NULL);
  return 0;
}
