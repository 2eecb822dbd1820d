// VERDICT: clear
// The same stack with a counter in the top word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint top = 1;  // counter << 8 | node + 1
static atomic_uint next[3] = {0, 2, 0};

static unsigned pop(void) {
  for (;;) {
    unsigned head = atomic_load(&top), node = head & 255;
    if (node == 0) return 0;
    unsigned rest = atomic_load(&next[node]);
    if (atomic_compare_exchange_strong(&top, &head, ((head >> 8) + 1) << 8 | rest)) return node;
  }
}

static void push(unsigned node) {
  unsigned head = atomic_load(&top);
  do {
    atomic_store(&next[node], head & 255);
  } while (!atomic_compare_exchange_strong(&top, &head, ((head >> 8) + 1) << 8 | node));
}

static unsigned kept;

static void *juggler(void *arg) {
  unsigned first = pop();
  kept = pop();
  if (first) push(first);
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
  assert(kept == 0 || (atomic_load(&top) & 255) != kept);
  return 0;
}
