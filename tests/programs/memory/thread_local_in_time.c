// VERDICT: clear
// The thread waits until its object was read.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready, done;
static int *shared;
static _Thread_local int mine = 7;

static void *lends(void *arg) {
  shared = &mine;
  sem_post(&ready);
  sem_wait(&done);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&t, NULL, lends, NULL);
  sem_wait(&ready);
  int seen = *shared;
  sem_post(&done);
  pthread_join(t, NULL);
  return seen - 7;
}
