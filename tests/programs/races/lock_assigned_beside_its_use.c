// Main assigns the initialiser while the worker may already lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);  // RACE!
  count++;
  pthread_mutex_unlock(&lock);  // RACE? ERROR(lock-misuse)?
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;  // RACE! ERROR(lock-misuse)?
  pthread_join(thread, NULL);
  return count != 1;
}
