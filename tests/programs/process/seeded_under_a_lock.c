// The lock orders the calls, but not which of them comes first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *seeds(void *arg) {
  pthread_mutex_lock(&lock);
  srand48(7);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  srand48(1);
  double first = drand48();
  srand48(1);
  pthread_create(&t, NULL, seeds, NULL);
  pthread_mutex_lock(&lock);
  double drawn = drand48();
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  assert(drawn == first);  // ERROR(assertion)!
  return 0;
}
