// Two locks in opposite orders.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // DEADLOCK!
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *backward(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);  // DEADLOCK!
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
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
