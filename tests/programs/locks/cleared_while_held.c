// Statistics are cleared together with the lock that guards them, which the thread holds.
#include <pthread.h>
#include <string.h>

static struct {
  long requests, errors;
  pthread_mutex_t lock;
} statistics;

static void *worker(void *unused) {
  pthread_mutex_lock(&statistics.lock);
  statistics.requests++;
  pthread_mutex_unlock(&statistics.lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&statistics.lock);
  memset(&statistics, 0, sizeof statistics);  // ERROR(lock-misuse)! ERROR(data-race)?
  pthread_mutex_unlock(&statistics.lock);     // ERROR(lock-misuse)?
  pthread_join(thread, NULL);
  return 0;
}
