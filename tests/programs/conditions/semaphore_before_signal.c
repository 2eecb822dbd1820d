// Who would signal waits first for a semaphore that nobody posts: the cause is the semaphore, not the signal.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t permission;
static int ready;

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *signals(void *arg) {
  sem_wait(&permission);  // ERROR(deadlock)!
  pthread_cond_broadcast(&changed);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&permission, 0, 0);
  pthread_create(&threads[0], NULL, waits, NULL);
  pthread_create(&threads[1], NULL, signals, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
