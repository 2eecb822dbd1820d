// Independent reads, and a read and a write, of independent writes. Fences between them.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: IRRWIW+fences-sc
// graphs: sc 21 tso 21 ra 21 rc11 21
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0, second_r1, fourth_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  second_r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread, fourth_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_create(&fourth_thread, NULL, fourth, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  pthread_join(fourth_thread, NULL);
  assert(!(second_r0 == 2 && second_r1 == 0 && fourth_r0 == 1 && atomic_load_explicit(&x, memory_order_relaxed) == 2));
  return 0;
}
