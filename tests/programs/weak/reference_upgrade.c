// A weak reference becomes a strong one only while the count is not zero.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owners = 1;
static int data = 1;

static void drop(void) {
  if (atomic_fetch_sub_explicit(&owners, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    data = 2;
  }
}

static void *upgrade(void *unused) {
  int seen = atomic_load_explicit(&owners, memory_order_relaxed);
  while (seen) {
    if (!atomic_compare_exchange_weak_explicit(&owners, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed))
      continue;
    assert(data == 1);
    drop();
    break;
  }
  return unused;
}

static void *owner(void *unused) {
  drop();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, upgrade, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
