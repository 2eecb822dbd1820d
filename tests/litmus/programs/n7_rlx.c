// A thread reads its own store before others see it, while a third thread sees another's store first.
// source: Owens, Sarkar, Sewell 2009, A Better x86 Memory Model: x86-TSO
// toy: n7+rlx
// graphs: sc 7 tso 8 ra 8 rc11 8
// assertion fails under: tso ra rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int first_r0, first_r1, third_r0, third_r1;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  first_r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
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
  assert(!(first_r0 == 1 && first_r1 == 0 && third_r0 == 1 && third_r1 == 0));
  return 0;
}
