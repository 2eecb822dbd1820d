// Treiber's stack: a push releases the node, a pop acquires it.
// OPTIONS: --full --memory-model=rc11
// VERDICT: clear
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
  node->value = value;
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do node->next = old;
  while (!atomic_compare_exchange_weak_explicit(&top, &old, node, memory_order_release, memory_order_relaxed));
}

static struct node *pop(void) {
  struct node *node = atomic_load_explicit(&top, memory_order_acquire);
  while (node && !atomic_compare_exchange_weak_explicit(&top, &node, node->next, memory_order_acquire, memory_order_acquire)) {  // HARMLESS: acquire -> relaxed (update), acquire -> relaxed (failure)
  }
  return node;
}

static void *produce(void *unused) {
  push(&nodes[0], 7);
  return unused;
}

static void *consume(void *unused) {
  const struct node *node = pop();
  if (node) assert(node->value == 7);
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
