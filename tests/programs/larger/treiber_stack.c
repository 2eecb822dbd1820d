// VERDICT: clear
// A lock-free stack of heap nodes that are freed only after both threads have ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static _Atomic(struct node *) top;

static void *pusher(void *arg) {
  struct node *node = malloc(sizeof *node);
  if (!node) abort();
  node->value = *(int *)arg;
  node->next = atomic_load_explicit(&top, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release, memory_order_relaxed)) {
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2, sum = 0;
  pthread_create(&a, NULL, pusher, &one);
  pthread_create(&b, NULL, pusher, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  for (struct node *at = atomic_load(&top), *next; at; at = next) {
    next = at->next;
    sum += at->value;
    free(at);
  }
  assert(sum == 3);
  return 0;
}
