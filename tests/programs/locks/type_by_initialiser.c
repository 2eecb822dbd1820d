// A free mutex gets another type where an initialiser is assigned to it: the recursive one may be locked twice.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  worker(NULL);
  lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  worker(NULL);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return count != 3;
}
