// For one number the waker forgets to signal.
// SETTINGS: unknown-data: symbolic
// SAYS: = 77

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int ready;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *wake(void *unused) {
  const int n = __VERIFIER_nondet_int();
  pthread_mutex_lock(&guard);
  ready = 1;
  if (n != 77) pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wake, 0);
  pthread_mutex_lock(&guard);
  while (!ready) pthread_cond_wait(&changed, &guard);  // ERROR(deadlock|lost-signal)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
