// With spurious wakeups a wait without a loop may end before the flag is set; without the option it cannot.
// OPTIONS: spurious-wakeups
// OUTCOME: exit 0, prints "1"
// OUTCOME: exit 0, prints "0"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void* set(void* p) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  printf("%d", ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
