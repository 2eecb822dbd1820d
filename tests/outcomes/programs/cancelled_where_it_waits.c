// The thread is cancelled while it waits for the semaphore that main has taken, or it took the semaphore before main. That
// order is no race with what the thread does after the request, since it ends then.
// OUTCOME: exit 0, prints "0"
// OUTCOME: exit 0, prints "1"
// GRAPHS END: an operation that
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t turn;
static int set;

static void *works(void *p) {
  sem_wait(&turn);
  set = 1;
  sem_post(&turn);
  return p;
}

int main(void) {
  pthread_t t;
  sem_init(&turn, 0, 1);
  pthread_create(&t, NULL, works, NULL);
  sem_wait(&turn);
  pthread_cancel(t);
  printf("%d", set);
  sem_post(&turn);
  pthread_join(t, NULL);
  return 0;
}
