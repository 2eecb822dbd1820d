// Two buffers: the writer fills the one that nobody reads, then turns the index.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int buffers[2];
static atomic_int index_of_newest, reading = -1;

static void *write_it(void *unused) {
  const int free_one = 1 - atomic_load_explicit(&index_of_newest, memory_order_relaxed);
  buffers[free_one] = 4;
  atomic_store_explicit(&index_of_newest, free_one, memory_order_release);
  return unused;
}

static void *read_it(void *unused) {
  const int at = atomic_load_explicit(&index_of_newest, memory_order_acquire);
  atomic_store_explicit(&reading, at, memory_order_relaxed);
  assert(buffers[at] == (at == 1 ? 4 : 0));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_it, 0);
  pthread_create(&b, 0, read_it, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
