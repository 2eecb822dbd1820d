// One key of 2^64 and one order of 126, without any lock.
// SETTINGS: unknown-data: symbolic

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static atomic_uint place;
static unsigned char seen[9];

static void *ones(void *unused) {
  for (int i = 0; i < 4; ++i) seen[atomic_fetch_add(&place, 1)] = 1;
  return unused;
}

int main(void) {
  const unsigned long key = __VERIFIER_nondet_ulong();
  pthread_t thread;
  pthread_create(&thread, 0, ones, 0);
  for (int i = 0; i < 5; ++i) seen[atomic_fetch_add(&place, 1)] = 0;
  pthread_join(thread, 0);
  unsigned long history = 0;
  for (int i = 0; i < 9; ++i) history = history * 2 + seen[i];
  assert(history != 0xca || (key ^ (key >> 9)) - history != 0x123456789abcde0fUL);  // ERROR(assertion)!
  return 0;
}
