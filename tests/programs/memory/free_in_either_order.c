// Whoever frees first, the other frees again; and the pointer is set beside a read of it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  if (block) {
    free(block);   // ERROR(double-free)! RACE?
    block = NULL;  // RACE!
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  block = malloc(4);
  pthread_create(&thread, NULL, worker, NULL);
  int *mine = block;  // RACE!
  free(mine);         // ERROR(double-free)! RACE?
  pthread_join(thread, NULL);
  return 0;
}
