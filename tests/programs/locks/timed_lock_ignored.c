// The time-out of a timed lock is ignored.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *hurried(void *arg) {
  struct timespec until = {1, 0};
  pthread_mutex_timedlock(&m, &until);
  value++;  // RACE!
  pthread_mutex_unlock(&m);  // ERROR(lock-misuse)!
  return arg;
}

static void *calm(void *arg) {
  pthread_mutex_lock(&m);
  value++;  // RACE!
  pthread_mutex_unlock(&m);  // ERROR(lock-misuse)?
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, hurried, NULL);
  pthread_create(&b, NULL, calm, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
