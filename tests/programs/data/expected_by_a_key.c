// One key of 2^32 is the ticket that stands in the word, between the other thread's two updates.
// SETTINGS: unknown-data: symbolic
// SAYS: = 2718281829 (line
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

static atomic_uint ticket;

static void *issue(void *unused) {
  atomic_store(&ticket, 2718281829u);
  atomic_store(&ticket, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  unsigned guess = __VERIFIER_nondet_uint();
  pthread_create(&thread, 0, issue, 0);
  const _Bool taken = atomic_compare_exchange_strong(&ticket, &guess, 7);
  assert(!taken || guess < 2);  // ERROR(assertion)!
  pthread_join(thread, 0);
  return 0;
}
