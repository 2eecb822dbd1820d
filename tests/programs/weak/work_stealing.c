// The deque of Chase and Lev with the orders of Le, Pop, Cohen and Nardelli 2013: its owner puts two jobs and takes one,
// a thief steals twice. Each job is taken once at most.
// Why three orders could be weaker, in any program with this deque: a fence follows the load of `top` at once, and
// acquires what it read. `top` is written by the compare-exchanges alone, each of which reads the one before: they are
// ordered by acquire and release, and each order that seq_cst adds to them is one of the fences around them.
// Two pairs of litmus tests (deque-last, deque-two) have the same graphs with and without these orders.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long top, bottom;
static atomic_int jobs[2];
static int taken[3];

static void put(int job) {
  const long last = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&jobs[last], job, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, last + 1, memory_order_relaxed);
}

static int take(void) {
  const long last = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, last, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  long first = atomic_load_explicit(&top, memory_order_relaxed);
  int job = 0;
  if (first <= last) {
    job = atomic_load_explicit(&jobs[last], memory_order_relaxed);
    if (first < last) return job;
    if (!atomic_compare_exchange_strong_explicit(&top, &first, first + 1,  // HARMLESS: seq_cst -> acq_rel (update)
                                                 memory_order_seq_cst, memory_order_relaxed))
      job = 0;
  }
  atomic_store_explicit(&bottom, last + 1, memory_order_relaxed);
  return job;
}

static int steal(void) {
  long first = atomic_load_explicit(&top, memory_order_acquire);  // HARMLESS: acquire -> relaxed (load)
  atomic_thread_fence(memory_order_seq_cst);
  const long last = atomic_load_explicit(&bottom, memory_order_acquire);
  if (first >= last) return 0;
  const int job = atomic_load_explicit(&jobs[first], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&top, &first, first + 1,  // HARMLESS: seq_cst -> acq_rel (update)
                                               memory_order_seq_cst, memory_order_relaxed))
    return 0;
  assert(job != 0);
  return job;
}

static void *owner(void *unused) {
  put(1);
  put(2);
  taken[0] = take();
  return unused;
}

static void *thief(void *unused) {
  taken[1] = steal();
  taken[2] = steal();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, thief, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  for (int one = 0; one < 3; ++one)
    for (int other = 0; other < one; ++other) assert(taken[one] == 0 || taken[one] != taken[other]);
  return 0;
}
