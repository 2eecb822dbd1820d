// One value of 2^32 sets the flag, and only where main looks late.
// SETTINGS: unknown-data: symbolic
// SAYS: = 41152263
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int found;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *search(void *unused) {
  const unsigned key = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&guard);
  if (key == 41152263u) found = 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, search, 0);
  pthread_mutex_lock(&guard);
  assert(!found);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
