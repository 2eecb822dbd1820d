// The same with a lock for reading.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct {
  int quit;
} state;

static void *worker(void *argument) {
  state.quit = 1;  // RACE!
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!state.quit) {  // RACE!
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(thread, 0);
  return 0;
}
