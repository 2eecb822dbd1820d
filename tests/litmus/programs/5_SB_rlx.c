// Store buffering in a ring of five: each read sees the store or misses it; SC forbids that all miss.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 2^5-1 tso 2^5 ra 2^5 rc11 2^5
// graphs: sc 31 tso 32 ra 32 rc11 32
// assertion fails under: tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a, w, x, y, z;
static int first_r0, second_r0, third_r0, fourth_r0, fifth_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second_r0 = atomic_load_explicit(&z, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  third_r0 = atomic_load_explicit(&w, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  atomic_store_explicit(&w, 1, memory_order_relaxed);
  fourth_r0 = atomic_load_explicit(&a, memory_order_relaxed);
  return unused;
}

static void* fifth(void* unused) {
  atomic_store_explicit(&a, 1, memory_order_relaxed);
  fifth_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread, fourth_thread, fifth_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_create(&fourth_thread, NULL, fourth, NULL);
  pthread_create(&fifth_thread, NULL, fifth, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  pthread_join(fourth_thread, NULL);
  pthread_join(fifth_thread, NULL);
  assert(!(first_r0 == 0 && second_r0 == 0 && third_r0 == 0 && fourth_r0 == 0 && fifth_r0 == 0));
  return 0;
}
