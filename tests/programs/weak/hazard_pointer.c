// A hazard pointer: the fences keep the look at the source behind its publication.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) source, hazard;

static void *read_it(void *unused) {
  int *seen = atomic_load_explicit(&source, memory_order_relaxed);
  atomic_store_explicit(&hazard, seen, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&source, memory_order_acquire) == seen && seen) assert(*seen == 1);  // HARMLESS: acquire -> relaxed (load)
  atomic_store_explicit(&hazard, 0, memory_order_release);
  return unused;
}

static void *retire(void *unused) {
  int *old = atomic_exchange_explicit(&source, 0, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&hazard, memory_order_acquire) != old) {
    *old = 3;
  }
  return unused;
}
static int object = 1;

int main(void) {
  atomic_init(&source, &object);
  pthread_t a, b;
  pthread_create(&a, 0, read_it, 0);
  pthread_create(&b, 0, retire, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
