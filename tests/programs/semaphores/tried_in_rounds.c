// Who takes the semaphore may end without a post. The other thread tries again in rounds of 1,200 tries.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t free_places;
static int closed;

static void *takes(void *arg) {
  sem_wait(&free_places);
  if (!closed) return arg;
  sem_post(&free_places);
  return arg;
}
static void *tries(void *arg) {
  for (int i = 0; sem_trywait(&free_places) != 0; i = i == 1200 ? 0 : i + 1) sched_yield();  // ERROR(deadlock|livelock)!
  sem_post(&free_places);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&free_places, 0, 1);
  pthread_create(&a, NULL, takes, NULL);
  pthread_create(&b, NULL, tries, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);  // ERROR(deadlock|livelock)?
  sem_destroy(&free_places);
  return 0;
}
