// One key of 2^32 and one order of 126: the history of five and four critical sections.
// SETTINGS: unknown-data: symbolic

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned history = 1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void note(unsigned bit) {
  pthread_mutex_lock(&guard);
  history = history * 2 + bit;
  pthread_mutex_unlock(&guard);
}

static void *ones(void *unused) {
  for (int i = 0; i < 4; ++i) note(1);
  return unused;
}

int main(void) {
  const unsigned key = __VERIFIER_nondet_uint();
  pthread_t thread;
  pthread_create(&thread, 0, ones, 0);
  for (int i = 0; i < 5; ++i) note(0);
  pthread_join(thread, 0);
  assert(!(history == 0x2ca && key * 2654435761u == 12345u));  // ERROR(assertion)!
  return 0;
}
