// The queue of Michael and Scott: a link publishes its node.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  int value;
  _Atomic(struct node *) next;
};
static struct node dummy, fresh;
static _Atomic(struct node *) head = &dummy, tail = &dummy;

static void *enqueue(void *unused) {
  fresh.value = 7;
  struct node *last = atomic_load_explicit(&tail, memory_order_acquire);  // HARMLESS: acquire -> relaxed (load)
  struct node *none = 0;
  if (atomic_compare_exchange_strong_explicit(&last->next, &none, &fresh, memory_order_release, memory_order_relaxed))
    atomic_compare_exchange_strong_explicit(&tail, &last, &fresh, memory_order_release, memory_order_relaxed);  // HARMLESS: release -> relaxed (update)
  return unused;
}

static void *dequeue(void *unused) {
  struct node *first = atomic_load_explicit(&head, memory_order_acquire);  // HARMLESS: acquire -> relaxed (load)
  struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
  if (next) {
    const int value = next->value;
    if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))  // HARMLESS: release -> relaxed (update)
      assert(value == 7);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, enqueue, 0);
  pthread_create(&b, 0, dequeue, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
