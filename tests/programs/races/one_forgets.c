// One thread takes the lock, the other forgets it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *careful(void *arg) {
  pthread_mutex_lock(&m);
  total += 1;  // RACE!
  pthread_mutex_unlock(&m);
  return arg;
}

static void *careless(void *arg) {
  total += 2;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, careful, NULL);
  pthread_create(&b, NULL, careless, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
