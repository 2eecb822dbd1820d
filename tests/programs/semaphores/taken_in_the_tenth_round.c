// A bounded loop of attempts that ends in the middle.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *posts(void *arg) {
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  int round;
  sem_init(&s, 0, 0);
  pthread_create(&t, NULL, posts, NULL);
  for (round = 0; round < 20; round++)
    if (sem_trywait(&s) == 0) break;
  assert(round != 9);  // ERROR(assertion)!
  pthread_join(t, NULL);
  return 0;
}
