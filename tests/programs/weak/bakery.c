// The bakery of Lamport for two threads needs one order of all its stores and loads.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[2], number[2];
static int count;

static void enter(int me) {
  atomic_store_explicit(&choosing[me], 1, memory_order_seq_cst);
  atomic_store_explicit(&number[me], atomic_load_explicit(&number[1 - me], memory_order_seq_cst) + 1,
                        memory_order_seq_cst);
  atomic_store_explicit(&choosing[me], 0, memory_order_seq_cst);  // HARMLESS: seq_cst -> release (store)
  while (atomic_load_explicit(&choosing[1 - me], memory_order_seq_cst)) {
  }
  while (1) {
    const int theirs = atomic_load_explicit(&number[1 - me], memory_order_seq_cst);  // HARMLESS: seq_cst -> acquire (load)
    const int mine = atomic_load_explicit(&number[me], memory_order_relaxed);
    if (theirs == 0 || mine < theirs || (mine == theirs && me == 0)) break;
  }
  count++;
  atomic_store_explicit(&number[me], 0, memory_order_release);
}

static void *first(void *unused) {
  enter(0);
  return unused;
}

static void *second(void *unused) {
  enter(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
