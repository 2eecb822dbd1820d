// Peterson's lock with sequentially consistent accesses.
// OPTIONS: --full --memory-model=rc11
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int count;

static void enter(int me) {
  atomic_store_explicit(&wants[me], 1, memory_order_seq_cst);
  atomic_store_explicit(&turn, 1 - me, memory_order_seq_cst);
  while (atomic_load_explicit(&wants[1 - me], memory_order_seq_cst) && atomic_load_explicit(&turn, memory_order_seq_cst) == 1 - me) {  // HARMLESS: seq_cst -> acquire (load)
  }
  count++;
  atomic_store_explicit(&wants[me], 0, memory_order_release);
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
  pthread_t one, other;
  pthread_create(&one, 0, first, 0);
  pthread_create(&other, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(count == 2);
  return 0;
}
