// VERDICT: clear
// Initialised although the static initialiser did, again without a destroy while nobody uses it, and after a destroy.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_barrier_t barrier;
static sem_t done;
static int count;

static void *adds(void *arg) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  sem_post(&done);
  pthread_barrier_wait(&barrier);
  return arg;
}

int main(void) {
  for (int round = 0; round < 2; round++) {
    pthread_t t;
    count = 0;
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&changed, NULL);
    sem_init(&done, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, adds, NULL);
    pthread_mutex_lock(&lock);
    while (count == 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    sem_wait(&done);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    if (round == 1) pthread_mutex_destroy(&lock), pthread_mutex_init(&lock, NULL);
  }
  return 0;
}
