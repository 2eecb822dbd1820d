// VERDICT: inconclusive
// SAYS: mystery_function
// A function that nothing defines.
#include <pthread.h>

int mystery_function(int);

static void *worker(void *arg) { return mystery_function(3) ? arg : NULL; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
