// A release fence before a relaxed store, an acquire fence behind a relaxed load that sees it: the data is ordered.
// OUTCOME: exit 0, prints "-"
// OUTCOME: exit 0, prints "42"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int flag;

static void* publish(void* p) {
  data = 42;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    printf("%d", data);
  } else {
    printf("-");
  }
  pthread_join(t, 0);
  return 0;
}
