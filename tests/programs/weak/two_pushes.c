// Two threads push onto one list; the reader of the list sees whole nodes.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  int value;
  struct node *next;
};
static struct node nodes[2] = {{0, 0}, {0, 0}};
static _Atomic(struct node *) top;

static void push(struct node *node) {
  node->value = 1;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release, memory_order_relaxed)) {
  }
}

static void *first(void *unused) {
  push(&nodes[0]);
  return unused;
}

static void *second(void *unused) {
  push(&nodes[1]);
  for (const struct node *n = atomic_load_explicit(&top, memory_order_acquire); n; n = n->next) assert(n->value == 1);
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
