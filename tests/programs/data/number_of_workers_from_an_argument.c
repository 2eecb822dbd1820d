// Up to two workers, whatever the argument says.
// SETTINGS: arguments: [{unknown: {length: 2}}]
// VERDICT: clear
// SAYS: argument 1 has at most 2 bytes
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&guard);
  done++;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(int argc, char **argv) {
  const int asked = argc > 1 ? atoi(argv[1]) : 0;
  const int workers = asked < 0 ? 0 : asked > 2 ? 2 : asked;
  pthread_t threads[2];
  for (int n = 0; n < workers; ++n) pthread_create(&threads[n], 0, work, 0);
  for (int n = 0; n < workers; ++n) pthread_join(threads[n], 0);
  assert(done == workers && (asked != 1 || done == 1));
  return 0;
}
