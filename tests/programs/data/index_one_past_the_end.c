// The check lets one index too many through.
// SETTINGS: unknown-data: symbolic
// SAYS: = 8
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int hits[8];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  const int slot = __VERIFIER_nondet_int();
  if (slot < 0 || slot > 8) return unused;
  pthread_mutex_lock(&guard);
  hits[slot]++;  // ERROR(out-of-bounds)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  pthread_join(thread, 0);
  return 0;
}
