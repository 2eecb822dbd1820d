// Store buffering, twice: between the two, plain memory is set to zero. The second sees nothing of the first.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 3^2 tso 4^2 ra 4^2 rc11 4^2
// graphs: sc 9 tso 16 ra 16 rc11 16
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int x, y;
static int first_r0, second_r0;

static void* first(void* value) {
  atomic_store_explicit(&x, *(int*)value, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  return value;
}

static void* second(void* value) {
  atomic_store_explicit(&y, *(int*)value, memory_order_relaxed);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return value;
}

int main(void) {
  for (int value = 1; value <= 2; ++value) {
    memset((void*)&x, 0, sizeof x);
    memset((void*)&y, 0, sizeof y);
    pthread_t first_thread, second_thread;
    pthread_create(&first_thread, NULL, first, &value);
    pthread_create(&second_thread, NULL, second, &value);
    pthread_join(first_thread, NULL);
    pthread_join(second_thread, NULL);
    assert(!(value == 2 && (first_r0 == 1 || second_r0 == 1)));
  }
  return 0;
}
