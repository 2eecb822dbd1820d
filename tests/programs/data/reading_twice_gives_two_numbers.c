// Each call gives a number of its own; the difference of each with itself is zero.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>
#include <string.h>

extern long __VERIFIER_nondet_long(void);

struct pair { long first, second; };
static struct pair shared;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *give(void *unused) {
  const struct pair mine = {__VERIFIER_nondet_long(), __VERIFIER_nondet_long()};
  pthread_mutex_lock(&guard);
  memcpy(&shared, &mine, sizeof shared);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, give, 0);
  pthread_mutex_lock(&guard);
  const struct pair copy = shared;
  pthread_mutex_unlock(&guard);
  assert((copy.first ^ copy.second) == (copy.second ^ copy.first));
  pthread_join(thread, 0);
  return 0;
}
