// A waiter with the wrong mutex gives up early: the other begins to wait while it does, in some interleavings only.
#include <pthread.h>
#include <time.h>

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *watcher(void *arg) {
  const struct timespec until = {1, 0};
  pthread_mutex_lock(&other);
  pthread_cond_timedwait(&changed, &other, &until);  // ERROR(lock-misuse)!
  pthread_mutex_unlock(&other);
  return arg;
}

int main(void) {
  pthread_t t;
  const struct timespec until = {2, 0};
  pthread_create(&t, NULL, watcher, NULL);
  pthread_mutex_lock(&lock);
  while (!ready)
    if (pthread_cond_timedwait(&changed, &lock, &until) != 0) ready = 1;  // ERROR(lock-misuse)?
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
