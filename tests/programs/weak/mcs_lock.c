// The queue lock of Mellor-Crummey and Scott: each thread spins on its own node.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int waits;
};
static _Atomic(struct node *) tail;
static struct node nodes[2];
static int count;

static void enter(struct node *mine) {
  atomic_store_explicit(&mine->next, 0, memory_order_relaxed);
  atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit(&before->next, mine, memory_order_release);
  while (atomic_load_explicit(&mine->waits, memory_order_acquire)) {
  }
}

static void leave(struct node *mine) {
  struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
  if (!after) {
    struct node *expected = mine;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed)) return;
    while (!(after = atomic_load_explicit(&mine->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit(&after->waits, 0, memory_order_release);
}

static void *first(void *unused) {
  enter(&nodes[0]);
  count++;
  leave(&nodes[0]);
  return unused;
}

static void *second(void *unused) {
  enter(&nodes[1]);
  count++;
  leave(&nodes[1]);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
