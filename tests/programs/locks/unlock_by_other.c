// One thread locks, another unlocks.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *helper(void *arg) {
  pthread_mutex_unlock(&m);  // ERROR(lock-misuse)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, NULL, helper, NULL);
  pthread_join(t, NULL);
  return 0;
}
