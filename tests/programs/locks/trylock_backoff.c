// VERDICT: clear
// The second lock is only tried; on failure the first is given back.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int both;

static void work(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  if (pthread_mutex_trylock(second) == 0) {
    both++;
    pthread_mutex_unlock(second);
  }
  pthread_mutex_unlock(first);
}

static void *forward(void *arg) {
  work(&a, &b);
  return arg;
}

static void *backward(void *arg) {
  work(&b, &a);
  return arg;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, forward, NULL);
  pthread_create(&t, NULL, backward, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return both > 2;
}
