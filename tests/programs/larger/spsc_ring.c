// VERDICT: clear
// A ring buffer for one producer and one consumer with acquire and release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 2, ITEMS = 3 };

static int slots[SIZE];
static atomic_uint head, tail;

static int try_put(int value) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  if (t - atomic_load_explicit(&head, memory_order_acquire) == SIZE) return 0;
  slots[t % SIZE] = value;
  atomic_store_explicit(&tail, t + 1, memory_order_release);
  return 1;
}

static int try_take(int *value) {
  unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  if (h == atomic_load_explicit(&tail, memory_order_acquire)) return 0;
  *value = slots[h % SIZE];
  atomic_store_explicit(&head, h + 1, memory_order_release);
  return 1;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= ITEMS; i++) {
    int value;
    while (!try_take(&value)) {
    }
    assert(value == i);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, consumer, NULL);
  for (int i = 1; i <= ITEMS; i++)
    while (!try_put(i)) {
    }
  pthread_join(t, NULL);
  return 0;
}
