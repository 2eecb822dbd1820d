// A sequence lock after Boehm 2012: two fences keep the data between the two readings of the number.
// OPTIONS: --full --memory-model=rc11
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *write_both(void *unused) {
  const unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&low, 1, memory_order_relaxed);
  atomic_store_explicit(&high, 1, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 2, memory_order_release);
  return unused;
}

static void *read_both(void *unused) {
  const unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
  const int a = atomic_load_explicit(&low, memory_order_relaxed);
  const int b = atomic_load_explicit(&high, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  const unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
  if (before == after && before % 2 == 0) assert(a == b);
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_both, 0);
  pthread_create(&reader, 0, read_both, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
  return 0;
}
