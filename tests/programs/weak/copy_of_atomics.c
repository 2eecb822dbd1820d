// A structure with an atomic member is copied after the joins: the copy has the newest store.
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct slot {
  atomic_int state, other;
} slot;

static void *one(void *p) {
  atomic_store_explicit(&slot.state, 1, memory_order_relaxed);
  return p;
}
static void *two(void *p) {
  atomic_store_explicit(&slot.state, 2, memory_order_relaxed);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  struct slot copy;
  memcpy(&copy, &slot, sizeof copy);
  assert(atomic_load_explicit(&copy.state, memory_order_relaxed) ==
         atomic_load_explicit(&slot.state, memory_order_relaxed));
  return 0;
}
