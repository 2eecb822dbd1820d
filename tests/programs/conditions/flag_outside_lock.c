// The flag is atomic but set without the mutex: the signal falls between the test and the wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int flag;

static void *setter(void *arg) {
  atomic_store(&flag, 1);
  pthread_cond_signal(&ready);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, setter, NULL);
  pthread_mutex_lock(&m);
  while (!atomic_load(&flag)) pthread_cond_wait(&ready, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
