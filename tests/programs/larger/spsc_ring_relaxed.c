// The same ring with a relaxed head: the producer may overwrite a slot that is still being read.
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 1, ITEMS = 2 };

static int slots[SIZE];
static atomic_uint head, tail;

static int try_put(int value) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  if (t - atomic_load_explicit(&head, memory_order_relaxed) == SIZE) return 0;
  slots[t % SIZE] = value;  // RACE!
  atomic_store_explicit(&tail, t + 1, memory_order_release);
  return 1;
}

static int try_take(int *value) {
  unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  if (h == atomic_load_explicit(&tail, memory_order_acquire)) return 0;
  *value = slots[h % SIZE];  // RACE!
  atomic_store_explicit(&head, h + 1, memory_order_release);
  return 1;
}

static void *consumer(void *arg) {
  int value;
  for (int i = 1; i <= ITEMS; i++)
    while (!try_take(&value)) {
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
