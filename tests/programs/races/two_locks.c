// Both threads lock, but not the same mutex.
#include <pthread.h>

static pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER, blue = PTHREAD_MUTEX_INITIALIZER;
static long value;

static void *left(void *arg) {
  pthread_mutex_lock(&red);
  value = 1;  // RACE!
  pthread_mutex_unlock(&red);
  return arg;
}

static void *right(void *arg) {
  pthread_mutex_lock(&blue);
  value = 2;  // RACE!
  pthread_mutex_unlock(&blue);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
