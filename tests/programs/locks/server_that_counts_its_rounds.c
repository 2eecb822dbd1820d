// VERDICT: clear
// main sleeps for ever, in rounds of two thousand. It waits for nobody.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int served;

static void *serves(void *arg) {
  pthread_mutex_lock(&m);
  served = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, serves, NULL);
  pthread_detach(thread);
  for (;;)
    for (int i = 0; i < 2000; i++) sleep(1);
}
