// VERDICT: clear
// An MCS lock: every waiter spins on a flag of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node { _Atomic(struct node *) next; atomic_int locked; };

static _Atomic(struct node *) last;
static int value;

static void acquire(struct node *mine) {
  atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&mine->locked, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&last, mine, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit(&before->next, mine, memory_order_release);
  while (atomic_load_explicit(&mine->locked, memory_order_acquire)) {
  }
}

static void release(struct node *mine) {
  struct node *next = atomic_load_explicit(&mine->next, memory_order_acquire);
  if (!next) {
    struct node *expected = mine;
    if (atomic_compare_exchange_strong_explicit(&last, &expected, NULL, memory_order_acq_rel, memory_order_acquire)) return;
    while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit(&next->locked, 0, memory_order_release);
}

static void *worker(void *arg) {
  struct node mine;
  acquire(&mine);
  value++;
  release(&mine);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(value == 2);
  return 0;
}
