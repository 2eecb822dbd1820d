// As signaller_blocked.c with a semaphore: who would post waits for the lock that the waiter keeps.
// OUTCOME: stuck, prints ""
// OUTCOME: exit 0, prints "done"
// FINDINGS: deadlock
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;

static void* give(void* p) {
  pthread_mutex_lock(&table);
  sem_post(&s);
  pthread_mutex_unlock(&table);
  return p;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, give, 0);
  pthread_mutex_lock(&table);
  sem_wait(&s);
  pthread_mutex_unlock(&table);
  pthread_join(t, 0);
  printf("done");
  return 0;
}
