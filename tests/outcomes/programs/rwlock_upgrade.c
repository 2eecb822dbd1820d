// A writer that still holds its own read lock waits for itself.
// OUTCOME: stuck, prints ""
// FINDINGS: deadlock
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_wrlock(&l);
  return 0;
}
