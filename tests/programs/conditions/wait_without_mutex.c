// A wait with a mutex that the thread does not hold.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  pthread_cond_wait(&c, &m);  // ERROR(lock-misuse)!
  return 0;
}
