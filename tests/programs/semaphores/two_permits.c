// A semaphore of two lets both threads in.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int value;

static void *worker(void *arg) {
  sem_wait(&s);
  value++;  // RACE!
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 2);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  sem_destroy(&s);
  return 0;
}
