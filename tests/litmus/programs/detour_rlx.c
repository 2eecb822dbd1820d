// A value makes a detour: a thread passes on what it finds in a variable that it has stored to. May its reader find
// the store before that?
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: detour+rlx
// graphs: sc 13 tso 13 ra 13 rc11 18
// assertion fails under: rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_r0, third_r0, third_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, first_r0, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&y, memory_order_relaxed);
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
