// SAYS: no thread signals it"
// The thread that waits has signalled itself before: that was for others.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items, room;

static void *adds(void *arg) {
  pthread_mutex_lock(&m);
  items = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, adds, NULL);
  pthread_mutex_lock(&m);
  room++;
  pthread_cond_broadcast(&changed);
  while (!items) pthread_cond_wait(&changed, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
