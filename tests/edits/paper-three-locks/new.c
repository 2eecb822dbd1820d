// STEP1: finds
// Three threads over three locks; the edit closes the cycle.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void *ab(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // DEADLOCK!
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *bc(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&c);  // DEADLOCK!
  pthread_mutex_unlock(&c);
  pthread_mutex_unlock(&b);
  return arg;
}

static void *ca(void *arg) {
  pthread_mutex_lock(&c);
  pthread_mutex_lock(&a);  // DEADLOCK!
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&c);
  return arg;
}

int main(void) {
  pthread_t x, y, z;
  pthread_create(&x, NULL, ab, NULL);
  pthread_create(&y, NULL, bc, NULL);
  pthread_create(&z, NULL, ca, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  pthread_join(z, NULL);
  return 0;
}
