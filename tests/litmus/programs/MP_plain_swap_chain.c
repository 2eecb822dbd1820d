// Message passing: data, then a flag. May a reader see the flag and miss the data? The flag passes through an update
// by a third thread, which continues the release sequence.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: MP+plain+swap-chain
// graphs: sc 6 tso 6 ra 6 rc11 6
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int y;
static int x;
static int second_r0, third_r0, third_r1;

static void* first(void* unused) {
  x = 1;
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&y, memory_order_acquire);
  if (third_r0 == 2) third_r1 = x;
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
  assert(!(second_r0 == 1 && third_r0 == 2 && third_r1 == 0));
  return 0;
}
