// A fence for signal handlers orders nothing between threads: the read races with the write.
// OUTCOME: exit 0, prints "-"
// OUTCOME: exit 0, prints "42"
// FINDINGS: data-race
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int flag;

static void* publish(void* p) {
  data = 42;
  atomic_signal_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_signal_fence(memory_order_acquire);
    printf("%d", data);
  } else {
    printf("-");
  }
  pthread_join(t, 0);
  return 0;
}
