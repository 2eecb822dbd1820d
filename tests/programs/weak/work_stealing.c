// The deque of Chase and Lev with the orders of Le, Pop, Cohen and Nardelli 2013: one job, taken once.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long top, bottom = 1;
static atomic_int job = 9;
static int taken[2];

static void *take(void *unused) {
  const long last = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, last, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);  // HARMLESS: seq_cst -> acq_rel (fence)
  long first = atomic_load_explicit(&top, memory_order_relaxed);
  if (first == last) {
    if (atomic_compare_exchange_strong_explicit(&top, &first, first + 1, memory_order_seq_cst, memory_order_relaxed))  // HARMLESS: seq_cst -> acq_rel (update)
      taken[0] = atomic_load_explicit(&job, memory_order_relaxed);
    atomic_store_explicit(&bottom, last + 1, memory_order_relaxed);
  } else if (first < last) {
    taken[0] = atomic_load_explicit(&job, memory_order_relaxed);
  } else {
    atomic_store_explicit(&bottom, last + 1, memory_order_relaxed);
  }
  return unused;
}

static void *steal(void *unused) {
  long first = atomic_load_explicit(&top, memory_order_acquire);  // HARMLESS: acquire -> relaxed (load)
  atomic_thread_fence(memory_order_seq_cst);  // HARMLESS: seq_cst -> acq_rel (fence)
  const long last = atomic_load_explicit(&bottom, memory_order_acquire);  // HARMLESS: acquire -> relaxed (load)
  if (first < last &&
      atomic_compare_exchange_strong_explicit(&top, &first, first + 1, memory_order_seq_cst, memory_order_relaxed))  // HARMLESS: seq_cst -> acq_rel (update)
    taken[1] = atomic_load_explicit(&job, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, steal, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(taken[0] + taken[1] == 9);
  return 0;
}
