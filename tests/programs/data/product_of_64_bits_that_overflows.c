// The builtin says whether the size of a table fits; the check before it lets one table too many through.
// SETTINGS: unknown-data: symbolic
// SAYS: = 768614336404564651
#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long size;
static int fits = 1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *make(void *unused) {
  const unsigned long rows = __VERIFIER_nondet_ulong();
  if (rows > 768614336404564651) return unused;
  pthread_mutex_lock(&guard);
  if (__builtin_mul_overflow(rows, 24, &size)) fits = 0;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, make, 0);
  pthread_join(thread, 0);
  assert(fits);  // ERROR(assertion)!
  return 0;
}
