// A writer and one attempt of a reader of a sequence lock. May it accept a torn pair? Relaxed and without fences, RC11
// allows it.
// source: Boehm 2012, Can Seqlocks Get Along With Programming Language Memory Models?
// toy: seqlock+torn+no-fence
// graphs: sc 18 tso 18 ra 18 rc11 21
// assertion fails under: rc11
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a, x, y;
static int second_r0, second_r1, second_r2, second_r3;

static void* first(void* unused) {
  atomic_store_explicit(&a, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&a, 2, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&a, memory_order_acquire);
  second_r1 = atomic_load_explicit(&x, memory_order_relaxed);
  second_r2 = atomic_load_explicit(&y, memory_order_relaxed);
  second_r3 = atomic_load_explicit(&a, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(second_r0 == 0 && second_r3 == 0 && second_r1 == 1 && second_r2 == 0));
  return 0;
}
