// VERDICT: clear
// A control may be set back once its initialiser is over and nobody else uses it; then it runs again.
#include <assert.h>
#include <pthread.h>

static struct {
  pthread_once_t control;
  int ran;
} state = {PTHREAD_ONCE_INIT, 0};

static void run(void) { state.ran++; }

static void *worker(void *arg) {
  pthread_once(&state.control, run);
  return arg;
}

int main(void) {
  pthread_t t;
  for (int round = 1; round <= 2; round++) {
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(state.ran == round);
    state.control = (pthread_once_t)PTHREAD_ONCE_INIT;
  }
  return 0;
}
