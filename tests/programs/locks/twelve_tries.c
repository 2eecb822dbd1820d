// The twelfth try in vain is the last.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *argument) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int locked = 0;
  for (int i = 0; i < 12 && !locked; i++) {
    locked = pthread_mutex_trylock(&mutex) == 0;
    if (!locked) usleep(10);
  }
  assert(locked);  // ERROR(assertion)!
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
