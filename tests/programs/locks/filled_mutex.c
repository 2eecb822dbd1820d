// Bytes that are no initialiser.
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock;

static void *uses(void *arg) {
  pthread_mutex_lock(&lock);  // ERROR(lock-misuse)!
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  memset(&lock, 1, sizeof lock);
  pthread_create(&t, NULL, uses, NULL);
  pthread_join(t, NULL);
  return 0;
}
