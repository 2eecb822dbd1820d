// VERDICT: findings
// The local variable's function goes on as soon as it is told to, and that is before the last use. No order of the
// semaphore operations has the use behind the end of the function: nothing orders the two.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready, done;
static int *place;
static int copy;

static void *uses(void *arg) {
  sem_wait(&ready);
  int *p = place;
  sem_post(&done);
  copy = *p;  // RACE! ERROR(use-after-free)?
  return arg;
}

static void publish(void) {
  int local = 1;  // ERROR(use-after-free)?
  place = &local;
  sem_post(&ready);
  sem_wait(&done);
}  // RACE! ERROR(use-after-free)?

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
