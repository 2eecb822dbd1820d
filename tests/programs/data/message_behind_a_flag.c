// Release and acquire: the reader that sees the flag sees the number.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern long __VERIFIER_nondet_long(void);

static long number, check;
static atomic_int ready;

static void *send(void *unused) {
  number = __VERIFIER_nondet_long();
  check = ~number;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, send, 0);
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert((number ^ check) == -1);
  pthread_join(thread, 0);
  return 0;
}
