// One key of 2^32 skips the signal, and only a waiter that was already there notices.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int ready;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *prepare(void *unused) {
  const unsigned key = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&guard);
  ready = 1;
  if ((key ^ key << 13) != 0xc0ffee11u) pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, prepare, 0);
  pthread_mutex_lock(&guard);
  while (!ready) pthread_cond_wait(&changed, &guard);  // ERROR(deadlock|lost-signal)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
