// A reader orders two independent writes, and one of them comes after a read of the other, which an older value wins.
// Only models in which all threads see writes at once forbid it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: IRRWIW+rel+acq
// graphs: sc 21 tso 21 ra 22 rc11 22
// assertion fails under: ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int second_r0, second_r1, fourth_r0;

static void* first(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&x, memory_order_acquire);
  second_r1 = atomic_load_explicit(&y, memory_order_acquire);
  return unused;
}

static void* third(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* fourth(void* unused) {
  fourth_r0 = atomic_load_explicit(&y, memory_order_acquire);
  atomic_store_explicit(&x, 1, memory_order_release);
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
  assert(!(second_r0 == 2 && second_r1 == 0 && fourth_r0 == 1 && x == 2));
  return 0;
}
