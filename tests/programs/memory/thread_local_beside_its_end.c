// Nothing orders the use before the end of the thread.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready;
static int *shared;
static _Thread_local int mine = 7;

static void *lends(void *arg) {
  shared = &mine;
  sem_post(&ready);
  return arg;  // RACE?
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, NULL, lends, NULL);
  sem_wait(&ready);
  int seen = *shared;  // ERROR(use-after-free|data-race)!
  pthread_join(t, NULL);
  return seen - 7;
}
