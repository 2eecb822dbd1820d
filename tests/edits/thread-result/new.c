// What a thread returns is looked at by whoever joins it.
#include <assert.h>
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return (void *)2L;
}

int main(void) {
  pthread_t a;
  void *result;
  pthread_create(&a, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  pthread_join(a, &result);
  assert(result == (void *)1L);  // ERROR(assertion)!
  return 0;
}
