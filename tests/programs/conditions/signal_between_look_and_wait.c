// SAYS: the signal came before the wait, without mutex 'm'"
// The mutex is not held for the change and its signal: they come between the look at the flag and the wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *sets(void *arg) {
  atomic_store(&ready, 1);
  pthread_cond_signal(&changed);  // ERROR(lost-signal)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sets, NULL);
  pthread_mutex_lock(&m);
  while (!atomic_load(&ready)) pthread_cond_wait(&changed, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
