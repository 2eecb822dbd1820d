// A ticket lock: the tickets start anywhere, also just before they wrap.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static atomic_uint next_ticket, served;
static int sum;

static void *add(void *unused) {
  const unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&served) != mine) {}
  sum++;
  atomic_fetch_add(&served, 1);
  return unused;
}

int main(void) {
  const unsigned start = __VERIFIER_nondet_uint();
  atomic_store(&next_ticket, start);
  atomic_store(&served, start);
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(sum == 2 && atomic_load(&served) - start == 2);
  return 0;
}
