// Two threads push onto a lock-free stack; nothing is lost, whatever the numbers are.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node { unsigned number; struct node *next; };
static struct node nodes[2];
static _Atomic(struct node *) top;

static void *push(void *argument) {
  struct node *node = argument;
  struct node *old = atomic_load(&top);
  do node->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, node));
  return 0;
}

int main(void) {
  nodes[0].number = __VERIFIER_nondet_uint();
  nodes[1].number = __VERIFIER_nondet_uint();
  const unsigned sum = nodes[0].number + nodes[1].number;
  pthread_t first, second;
  pthread_create(&first, 0, push, &nodes[0]);
  pthread_create(&second, 0, push, &nodes[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  unsigned found = 0;
  for (struct node *node = atomic_load(&top); node; node = node->next) found += node->number;
  assert(found == sum);
  return 0;
}
