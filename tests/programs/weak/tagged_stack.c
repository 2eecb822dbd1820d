// Treiber's stack whose top is a pointer and a tag of 16 bytes: a push releases the node, a pop acquires it.
// OPTIONS: -- -mcx16
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
  struct node *next;
  int value;
};
struct top {
  struct node *node;
  uintptr_t tag;
};
static struct node nodes[2];
static _Atomic(struct top) top;

static void push(struct node *node) {
  node->value = 7;
  struct top old = atomic_load_explicit(&top, memory_order_relaxed), fresh;
  do {
    node->next = old.node;
    fresh = (struct top){node, old.tag + 1};
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, fresh, memory_order_release, memory_order_relaxed));
}

static struct node *pop(void) {
  struct top old = atomic_load_explicit(&top, memory_order_acquire), fresh;
  do {
    if (!old.node) return 0;
    fresh = (struct top){old.node->next, old.tag + 1};
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, fresh, memory_order_acquire, memory_order_acquire));  // HARMLESS: acquire -> relaxed (update)
  return old.node;
}

static void *produce(void *node) {
  push(node);
  return node;
}

static void *consume(void *unused) {
  const struct node *node = pop();
  if (node) assert(node->value == 7);
  return unused;
}

int main(void) {
  pthread_t one, two, three;
  pthread_create(&one, 0, produce, &nodes[0]);
  pthread_create(&two, 0, produce, &nodes[1]);
  pthread_create(&three, 0, consume, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_join(three, 0);
  return 0;
}
