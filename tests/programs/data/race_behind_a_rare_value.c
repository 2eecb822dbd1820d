// One value takes the path that forgets the lock.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static int hits;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  const unsigned long key = __VERIFIER_nondet_ulong();
  if ((key ^ key >> 7) == 0x123456789abcdefUL) {
    hits++;  // RACE!
    return unused;
  }
  pthread_mutex_lock(&guard);
  hits++;  // RACE?
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
