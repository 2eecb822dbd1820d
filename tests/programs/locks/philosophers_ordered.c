// VERDICT: clear
// The lower fork first: no cycle.
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int ids[3] = {0, 1, 2};

static void *philosopher(void *arg) {
  int left = *(int *)arg, right = (left + 1) % 3;
  int first = left < right ? left : right, second = left < right ? right : left;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, philosopher, &ids[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
