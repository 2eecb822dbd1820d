// The ABA problem: between load and compare-and-swap the top comes back, but its successor has gone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 0;
static atomic_int next[2] = {1, -1};

static int pop(void) {
  for (;;) {
    int head = atomic_load(&top);
    if (head < 0) return -1;
    int rest = atomic_load(&next[head]);
    if (atomic_compare_exchange_strong(&top, &head, rest)) return head;
  }
}

static void push(int node) {
  int head = atomic_load(&top);
  do {
    atomic_store(&next[node], head);
  } while (!atomic_compare_exchange_strong(&top, &head, node));
}

static int kept = -1;

static void *juggler(void *arg) {
  int first = pop();
  kept = pop();
  if (first >= 0) push(first);
  return arg;
}

static void *popper(void *arg) {
  pop();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, juggler, NULL);
  pthread_create(&b, NULL, popper, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(kept < 0 || atomic_load(&top) != kept);  // ASSERT!
  return 0;
}
