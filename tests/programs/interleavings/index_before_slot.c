// The index is published before the slot is filled: the consumer sees an empty slot.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int slots[2];
static atomic_int tail;

static void *producer(void *arg) {
  int at = atomic_fetch_add(&tail, 1);
  atomic_store(&slots[at], 7);
  return arg;
}

static void *consumer(void *arg) {
  int filled = atomic_load(&tail);
  for (int i = 0; i < filled; i++) assert(atomic_load(&slots[i]) == 7);  // ASSERT!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
