// The thread ends with the mutex locked. main gets it before (0) or after that (EOWNERDEAD = 130, then it repairs and
// goes on); the third lock is always free of trouble. If main comes first, its second lock is the one that is told.
// OUTCOME: exit 0, prints "0 130 0"
// OUTCOME: exit 0, prints "130 0 0"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;

static void* work(void* p) {
  pthread_mutex_lock(&m);
  return p;
}

static int lock(void) {
  const int code = pthread_mutex_lock(&m);
  if (code == EOWNERDEAD) pthread_mutex_consistent(&m);
  pthread_mutex_unlock(&m);
  return code;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setprotocol(&robust, PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_setpshared(&robust, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&m, &robust);
  pthread_create(&t, 0, work, 0);
  const int first = lock();
  pthread_join(t, 0);
  const int second = lock(), third = lock();
  printf("%d %d %d", first, second, third);
  return 0;
}
