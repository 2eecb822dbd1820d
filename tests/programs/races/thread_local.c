// VERDICT: clear
// Thread-local variables are not shared, although they have one name.
#include <assert.h>
#include <pthread.h>

static _Thread_local int depth;

static void *worker(void *arg) {
  for (int i = 0; i < 5; i++) depth++;  // NORACE
  assert(depth == 5);
  return arg;
}

int main(void) {
  pthread_t a, b;
  depth = 100;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(depth == 100);
  return 0;
}
