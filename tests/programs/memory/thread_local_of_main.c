// main ends by pthread_exit(): its thread-local object is gone, the process goes on.
#include <pthread.h>
#include <stddef.h>

static _Thread_local int mine = 7;
static pthread_t first;

static void *outlives(void *arg) {
  pthread_join(first, NULL);
  ++*(int *)arg;  // ERROR(use-after-free)!
  return NULL;
}

int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, NULL, outlives, &mine);
  pthread_detach(t);
  pthread_exit(NULL);
}
