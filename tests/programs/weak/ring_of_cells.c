// The bounded queue of Vyukov: the number of a cell says whose turn it is.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct cell {
  atomic_uint number;
  int value;
};
static struct cell cells[2];
static atomic_uint written, taken;

static void *produce(void *unused) {
  unsigned at = atomic_load_explicit(&written, memory_order_relaxed);
  struct cell *cell = &cells[at % 2];
  if (atomic_load_explicit(&cell->number, memory_order_acquire) != at) return unused;  // HARMLESS: acquire -> relaxed (load)
  if (!atomic_compare_exchange_strong_explicit(&written, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
    return unused;
  cell->value = 5;
  atomic_store_explicit(&cell->number, at + 1, memory_order_release);
  return unused;
}

static void *consume(void *unused) {
  unsigned at = atomic_load_explicit(&taken, memory_order_relaxed);
  struct cell *cell = &cells[at % 2];
  if (atomic_load_explicit(&cell->number, memory_order_acquire) != at + 1) return unused;
  if (!atomic_compare_exchange_strong_explicit(&taken, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
    return unused;
  assert(cell->value == 5);
  atomic_store_explicit(&cell->number, at + 2, memory_order_release);  // HARMLESS: release -> relaxed (store)
  return unused;
}

int main(void) {
  atomic_init(&cells[1].number, 1);
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
