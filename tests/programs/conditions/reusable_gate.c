// A home-made barrier without a generation number: a fast thread overtakes and the slow one never leaves.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;

static void gate(void) {
  pthread_mutex_lock(&m);
  arrived++;
  if (arrived == 2) {
    pthread_cond_broadcast(&all_here);
    arrived = 0;
  } else {
    while (arrived != 0) pthread_cond_wait(&all_here, &m);  // ERROR(lost-signal)!
  }
  pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
  gate();
  gate();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
