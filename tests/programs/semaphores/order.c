// Two semaphores taken in opposite orders.
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *forward(void *arg) {
  sem_wait(&a);
  sem_wait(&b);  // ERROR(deadlock)!
  sem_post(&b);
  sem_post(&a);
  return arg;
}

static void *backward(void *arg) {
  sem_wait(&b);
  sem_wait(&a);  // ERROR(deadlock)!
  sem_post(&a);
  sem_post(&b);
  return arg;
}

int main(void) {
  pthread_t s, t;
  sem_init(&a, 0, 1);
  sem_init(&b, 0, 1);
  pthread_create(&s, NULL, forward, NULL);
  pthread_create(&t, NULL, backward, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
