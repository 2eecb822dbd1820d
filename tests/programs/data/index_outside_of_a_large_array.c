// A signed character is the index of a table with more elements than are tried one by one.
// SETTINGS: unknown-data: symbolic
// SAYS: before the start of 'count'
#include <pthread.h>

extern char __VERIFIER_nondet_char(void);

static int count[256];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  const char c = __VERIFIER_nondet_char();
  pthread_mutex_lock(&guard);
  count[c]++;  // ERROR(out-of-bounds)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
