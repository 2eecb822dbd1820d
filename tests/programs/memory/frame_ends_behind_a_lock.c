// The function that lends a local variable to a thread takes an unrelated lock before it ends. Nobody but the thread
// writes the variable after the start; the end of its life is not ordered behind that.
#include <pthread.h>

static pthread_t thread;
static pthread_mutex_t unrelated = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *place) {
  *(int *)place = 7;  // RACE! ERROR(use-after-free)?
  return 0;
}

static void start(void) {
  int counter = 0;
  pthread_create(&thread, 0, fill, &counter);
  pthread_mutex_lock(&unrelated);
  pthread_mutex_unlock(&unrelated);
}  // RACE!

int main(void) {
  start();
  pthread_join(thread, 0);
  return 0;
}
