// A time limit was never written, although the semaphore is free.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *takes(void *arg) {
  struct timespec limit;
  sem_timedwait(&s, &limit);  // ERROR(uninitialised-read)!
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 1);
  pthread_create(&t, NULL, takes, NULL);
  pthread_join(t, NULL);
  return 0;
}
