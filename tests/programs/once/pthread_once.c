// VERDICT: clear
// Whoever comes first initialises; everybody sees the result.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[2], runs;

static void initialise(void) {
  table[0] = 3;
  table[1] = 4;
  runs++;
}

static void *worker(void *arg) {
  pthread_once(&once, initialise);
  assert(table[0] + table[1] == 7);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(runs == 1);
  return 0;
}
