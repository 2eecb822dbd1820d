// VERDICT: clear
// The last use comes before the post that lets the variable's function return.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready, done;
static int *place;
static int copy;

static void *uses(void *arg) {
  sem_wait(&ready);
  int *p = place;
  copy = *p;
  sem_post(&done);
  return arg;
}

static void publish(void) {
  int local = 1;
  place = &local;
  sem_post(&ready);
  sem_wait(&done);
}

static void *owns(void *arg) {
  publish();
  return arg;
}

int main(void) {
  pthread_t t[2];
  sem_init(&ready, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&t[0], NULL, uses, NULL);
  pthread_create(&t[1], NULL, owns, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
