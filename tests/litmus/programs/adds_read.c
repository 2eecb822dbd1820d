// A reader beside read-modify-writes sees the counter grow only.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: adds+read
// graphs: sc 12 tso 12 ra 12 rc11 12
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int first_r0, second_r0, third_r0, third_r1;

static void* first(void* unused) {
  first_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  third_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  assert(!(third_r0 == 2 && third_r1 == 1));
  return 0;
}
