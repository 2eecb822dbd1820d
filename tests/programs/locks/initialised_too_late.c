// The thread uses the mutex, and nothing orders its initialisation before.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int count;

static void *adds(void *arg) {
  pthread_mutex_lock(&lock);  // ERROR(lock-misuse)!
  count++;
  pthread_mutex_unlock(&lock);  // ERROR(lock-misuse)?
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, adds, NULL);
  pthread_mutex_init(&lock, NULL);  // ERROR(lock-misuse)?
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
