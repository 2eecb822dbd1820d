// One thread would post for the other, and waits for the same semaphore before: that one is the cause.
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *take(void *arg) {
  sem_wait(&ready);
  return arg;
}

static void *take_and_give_back(void *arg) {
  sem_wait(&ready);  // DEADLOCK!
  sem_post(&ready);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&ready, 0, 0);
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, take_and_give_back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
