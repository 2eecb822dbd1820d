// The table has a hole.
// SETTINGS: unknown-data: symbolic
// SAYS: = 2

#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int one = 1, three = 3;
static int *table[4] = {&one, &three, 0, &one};
static int sum;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *unused) {
  const unsigned n = __VERIFIER_nondet_uint();
  if (n >= 4) return unused;
  pthread_mutex_lock(&guard);
  sum += *table[n];  // ERROR(null-dereference)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  return 0;
}
