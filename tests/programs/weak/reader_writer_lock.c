// Readers count up, a writer takes the count from 0 to -1.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users;
static int data;

static void *read_it(void *unused) {
  int seen = atomic_load_explicit(&users, memory_order_relaxed);
  while (seen < 0 ||
         !atomic_compare_exchange_weak_explicit(&users, &seen, seen + 1, memory_order_acquire, memory_order_relaxed)) {
    seen = atomic_load_explicit(&users, memory_order_relaxed);
  }
  assert(data == 0 || data == 1);
  atomic_fetch_sub_explicit(&users, 1, memory_order_release);
  return unused;
}

static void *write_it(void *unused) {
  int none = 0;
  while (!atomic_compare_exchange_weak_explicit(&users, &none, -1, memory_order_acquire, memory_order_relaxed)) none = 0;
  data = 1;
  atomic_store_explicit(&users, 0, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, read_it, 0);
  pthread_create(&b, 0, write_it, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
