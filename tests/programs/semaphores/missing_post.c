// One post too few: main waits for ever.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *worker(void *arg) {
  if (arg) sem_post(&done);
  return arg;
}

int main(void) {
  pthread_t a, b;
  int yes = 1;
  sem_init(&done, 0, 0);
  pthread_create(&a, NULL, worker, &yes);
  pthread_create(&b, NULL, worker, NULL);
  sem_wait(&done);
  sem_wait(&done);  // ERROR(deadlock|lost-signal)!
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
