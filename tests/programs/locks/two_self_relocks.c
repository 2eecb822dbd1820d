// Two threads that each take a lock twice, different ones: both are told, although neither's order matters to the other.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);  // ERROR(deadlock)!
  return arg;
}

static void *second(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&b);  // ERROR(deadlock)!
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
