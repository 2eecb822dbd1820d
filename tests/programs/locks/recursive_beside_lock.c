// A recursive mutex is taken twice: whoever needs it can only come before the first time.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *first(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *second(void *arg) {
  pthread_mutex_lock(&lock);
  assert(value == 1);  // ERROR(assertion)!
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
