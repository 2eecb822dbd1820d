// The semaphore is set up by one thread and used by another without any order: misuse, whichever comes first.
// OUTCOME: lock-misuse, prints ""
// FINDINGS: lock-misuse
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t s;

static void* set_up(void* p) {
  sem_init(&s, 0, 1);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set_up, 0);
  sem_wait(&s);
  pthread_join(t, 0);
  printf("ok");
  return 0;
}
