// The initialiser clears the structure that its control lies in.
#include <pthread.h>
#include <string.h>

static struct {
  int value;
  pthread_once_t control;
} state;

static void run(void) {
  memset(&state, 0, sizeof state);  // ERROR(lock-misuse)!
  state.value = 1;
}

static void *worker(void *arg) {
  pthread_once(&state.control, run);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  worker(NULL);
  pthread_join(t, NULL);
  return 0;
}
