// Message passing over two threads: may the last reader miss the first store? The thread in the middle reads with an
// update.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: ISA2+add-middle
// graphs: sc 7 tso 7 ra 7 rc11 7
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, z;
static int second_r0, third_r0, third_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_fetch_add_explicit(&y, 1, memory_order_acquire);
  atomic_store_explicit(&z, 1, memory_order_release);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&z, memory_order_acquire);
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
  assert(!(second_r0 == 1 && third_r0 == 1 && third_r1 == 0));
  return 0;
}
