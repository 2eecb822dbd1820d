// The push does not release the node: its value may be missing.
// OPTIONS: --full --memory-model=rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  int value;
  struct node *next;
};
static struct node nodes[2];
static _Atomic(struct node *) top;

static void push(struct node *node, int value) {
  node->value = value;  // RACE?
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do node->next = old;  // RACE?
  while (!atomic_compare_exchange_weak_explicit(&top, &old, node, memory_order_relaxed, memory_order_relaxed));
}

static struct node *pop(void) {
  struct node *node = atomic_load_explicit(&top, memory_order_acquire);
  while (node && !atomic_compare_exchange_weak_explicit(&top, &node, node->next, memory_order_acquire, memory_order_acquire)) {  // RACE?
  }
  return node;
}

static void *produce(void *unused) {
  push(&nodes[0], 7);
  return unused;
}

static void *consume(void *unused) {
  const struct node *node = pop();
  if (node) assert(node->value == 7);  // RACE!  ERROR(assertion)?
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, produce, 0);
  pthread_create(&other, 0, consume, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
