// VERDICT: clear
// The time of the wait ends, but the mutex was held all along: the other thread never got in between.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void *adds(void *arg) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  struct timespec soon;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &recursive);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  pthread_create(&t, NULL, adds, NULL);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec++;
  pthread_cond_timedwait(&changed, &lock, &soon);
  assert(count == 0);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
