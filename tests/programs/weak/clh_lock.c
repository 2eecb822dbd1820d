// The queue lock of Craig, Landin and Hagersten: each thread spins on the node before its own.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  atomic_int busy;
};
static struct node nodes[3];
static _Atomic(struct node *) tail = &nodes[2];
static int count;

static void use(struct node *mine) {
  atomic_store_explicit(&mine->busy, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  while (atomic_load_explicit(&before->busy, memory_order_acquire)) {
  }
  count++;
  atomic_store_explicit(&mine->busy, 0, memory_order_release);
}

static void *first(void *unused) {
  use(&nodes[0]);
  return unused;
}

static void *second(void *unused) {
  use(&nodes[1]);
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
