// VERDICT: clear
// Opposite orders, but a third lock around both lets only one thread in at a time.
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *arg) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&gate);
  return arg;
}

static void *backward(void *arg) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&gate);
  return arg;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, forward, NULL);
  pthread_create(&t, NULL, backward, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
