// One producer, one consumer: each index is released by its owner and acquired by the other.
// OPTIONS: --full --memory-model=rc11
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int ring[2];
static atomic_uint written, taken;

static void *produce(void *unused) {
  for (int i = 0; i < 2; ++i) {
    const unsigned at = atomic_load_explicit(&written, memory_order_relaxed);
    if (at - atomic_load_explicit(&taken, memory_order_acquire) == 2) return unused;  // HARMLESS: acquire -> relaxed (load)
    ring[at % 2] = 5 + i;
    atomic_store_explicit(&written, at + 1, memory_order_release);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 0; i < 2; ++i) {
    const unsigned at = atomic_load_explicit(&taken, memory_order_relaxed);
    if (at == atomic_load_explicit(&written, memory_order_acquire)) return unused;
    const int value = ring[at % 2];
    assert(value == 5 + i);
    atomic_store_explicit(&taken, at + 1, memory_order_release);  // HARMLESS: release -> relaxed (store)
  }
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, produce, 0);
  pthread_create(&other, 0, consume, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
