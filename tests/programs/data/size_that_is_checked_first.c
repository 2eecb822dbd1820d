// Two sizes are multiplied only if the product fits.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef size_t length;
extern length __VERIFIER_nondet_size_t(void);

static length bytes;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *reserve(void *unused) {
  const length count = __VERIFIER_nondet_size_t();
  if (count > 1000) return unused;
  pthread_mutex_lock(&guard);
  bytes = count * 16;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first;
  pthread_create(&first, 0, reserve, 0);
  pthread_mutex_lock(&guard);
  assert(bytes <= 16000 && bytes % 16 == 0);
  pthread_mutex_unlock(&guard);
  pthread_join(first, 0);
  return 0;
}
