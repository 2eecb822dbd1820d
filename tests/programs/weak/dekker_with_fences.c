// The entry of Dekker: with a fence between each store and the look at the other, one gives way.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int count;

static void enter(int me) {
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&wants[1 - me], memory_order_acquire) == 0) count++;  // HARMLESS: acquire -> relaxed (load)
  atomic_store_explicit(&wants[me], 2, memory_order_release);  // HARMLESS: release -> relaxed (store)
}

static void *first(void *unused) {
  enter(0);
  return unused;
}

static void *second(void *unused) {
  enter(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
