// Whether main waits for a thread decides whether what that thread waits for shows.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static int early;
static atomic_int turn;
static sem_t never;

static void *decide(void *arg) {
  early = 1;
  return arg;
}

static void *wait_perhaps(void *arg) {
  int before = atomic_load(&turn), after = atomic_load(&turn);
  if (before == 0 && after == 1) sem_wait(&never);
  return arg;
}

static void *take_turn(void *arg) {
  atomic_store(&turn, 1);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  sem_init(&never, 0, 0);
  pthread_create(&b, NULL, take_turn, NULL);
  pthread_create(&a, NULL, wait_perhaps, NULL);
  pthread_create(&c, NULL, decide, NULL);
  pthread_join(c, NULL);
  pthread_join(b, NULL);
  if (early) {
    pthread_detach(a);
    return 0;
  }
  pthread_join(a, NULL);
  return 0;
}
