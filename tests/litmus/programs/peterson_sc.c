// The doorway of Peterson's lock, one attempt each. May both threads enter? Seq_cst accesses forbid it under RC11.
// source: Peterson 1981, Myths About the Mutual Exclusion Problem
// toy: peterson+sc
// graphs: sc 8 tso 8 ra 16 rc11 8
// assertion fails under: ra
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int first_r0, first_r1, second_r0, second_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_seq_cst);
  atomic_store_explicit(&z, 1, memory_order_seq_cst);
  first_r0 = atomic_load_explicit(&y, memory_order_seq_cst);
  first_r1 = atomic_load_explicit(&z, memory_order_seq_cst);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_seq_cst);
  atomic_store_explicit(&z, 0, memory_order_seq_cst);
  second_r0 = atomic_load_explicit(&x, memory_order_seq_cst);
  second_r1 = atomic_load_explicit(&z, memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 0 && second_r0 == 0));
  return 0;
}
