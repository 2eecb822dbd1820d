// The __sync builtins: each is a compare-exchange or an update of a word that is unknown.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned word, flag, bits;

static void *change(void *argument) {
  const unsigned number = *(unsigned *)argument;
  while (__sync_lock_test_and_set(&flag, 1)) {}
  word++;
  __sync_lock_release(&flag);
  __sync_fetch_and_or(&bits, number);
  __sync_nand_and_fetch(&bits, 0);
  return argument;
}

int main(void) {
  unsigned number = __VERIFIER_nondet_uint();
  const unsigned start = __VERIFIER_nondet_uint();
  word = start;
  pthread_t thread;
  pthread_create(&thread, 0, change, &number);
  change(&number);
  pthread_join(thread, 0);
  assert(bits == ~0u && word == start + 2);
  const unsigned before = __sync_val_compare_and_swap(&word, number, 5);
  assert(before == start + 2);
  assert(word == 5 ? number == before || before == 5 : number != before);
  assert(__sync_bool_compare_and_swap(&word, word, number) && word == number);
  return 0;
}
