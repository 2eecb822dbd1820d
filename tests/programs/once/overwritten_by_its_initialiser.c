// The initialiser stores a new control over the one that it runs for: another thread may run it a second time meanwhile.
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int ran;

static void run(void) {
  ran++;
  if (ran == 1) control = (pthread_once_t)PTHREAD_ONCE_INIT;  // ERROR(lock-misuse)!
}

static void *worker(void *arg) {
  pthread_once(&control, run);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  worker(NULL);
  pthread_join(t, NULL);
  return 0;
}
