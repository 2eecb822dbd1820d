// Four readers of one store: each sees it or misses it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 2^4 tso 2^4 ra 2^4 rc11 2^4
// graphs: sc 16 tso 16 ra 16 rc11 16
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int second_r0, third_r0, fourth_r0, fifth_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

static void* fifth(void* unused) {
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
  assert(!(second_r0 == 2));
  return 0;
}
