// Coherence, read then read: two reads of one variable never see its stores in the wrong order. Two readers agree on
// the order of two stores by different threads.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoRR2
// graphs: sc 72 tso 72 ra 72 rc11 72
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int third_r0, third_r1, fourth_r0, fourth_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  third_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  fourth_r1 = atomic_load_explicit(&x, memory_order_relaxed);
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
  assert(!(third_r0 == 1 && third_r1 == 2 && fourth_r0 == 2 && fourth_r1 == 1));
  return 0;
}
