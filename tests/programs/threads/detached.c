// VERDICT: clear
// Main leaves by pthread_exit, so that the detached thread can finish.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *worker(void *arg) {
  pthread_detach(pthread_self());
  done = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_exit(NULL);
}
