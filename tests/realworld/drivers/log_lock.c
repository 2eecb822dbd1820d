/* Two threads log under the lock that the program gives. */
#include <pthread.h>
#include <stddef.h>

#include "src/log.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(bool taken, void* data) {
  if (taken)
    pthread_mutex_lock(data);
  else
    pthread_mutex_unlock(data);
}

static void* other(void* unused) {
  log_info("other %d", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  log_set_lock(lock, &mutex);
  pthread_create(&thread, NULL, other, NULL);
  log_warn("main %d", 2);
  pthread_join(thread, NULL);
  return 0;
}
