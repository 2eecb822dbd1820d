// The race is between the second and third thread; the first only uses the lock.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int guarded, bare;

static void *first(void *arg) {
  pthread_mutex_lock(&m);
  guarded++;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *second(void *arg) {
  bare = 1;  // RACE!
  pthread_mutex_lock(&m);
  guarded++;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *third(void *arg) {
  pthread_mutex_lock(&m);
  guarded++;
  pthread_mutex_unlock(&m);
  if (bare) return arg;  // RACE!
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_create(&c, NULL, third, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
