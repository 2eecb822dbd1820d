// A slot whose number is a checksum: one owner of 2^32 looks as if nobody had it.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

static atomic_uint slot;
static int uses;

static void *use(void *argument) {
  const unsigned owner = *(unsigned *)argument, mark = owner ^ owner >> 7 ^ 0xdeadbeefu;
  unsigned expected = 0;
  if (!atomic_compare_exchange_strong(&slot, &expected, mark)) return argument;
  uses++;  // RACE!
  atomic_store(&slot, 0);
  return argument;
}

int main(void) {
  unsigned first_owner = __VERIFIER_nondet_uint(), second_owner = 5;
  pthread_t first, second;
  pthread_create(&first, 0, use, &first_owner);
  pthread_create(&second, 0, use, &second_owner);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
