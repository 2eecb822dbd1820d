// VERDICT: clear
// Two semaphores pass items through one slot, without any mutex.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;
static int slot;

static void *consumer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&full);
    assert(slot == i);
    sem_post(&empty);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&empty, 0, 1);
  sem_init(&full, 0, 0);
  pthread_create(&t, NULL, consumer, NULL);
  for (int i = 1; i <= 2; i++) {
    sem_wait(&empty);
    slot = i;
    sem_post(&full);
  }
  pthread_join(t, NULL);
  sem_destroy(&empty);
  sem_destroy(&full);
  return 0;
}
