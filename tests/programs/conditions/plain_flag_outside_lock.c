// The flag is plain and set without the mutex: a race, and the signal can be lost.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;

static void *setter(void *arg) {
  flag = 1;  // RACE!
  pthread_cond_signal(&ready);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, setter, NULL);
  pthread_mutex_lock(&m);
  while (!flag)  // RACE!
    pthread_cond_wait(&ready, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
