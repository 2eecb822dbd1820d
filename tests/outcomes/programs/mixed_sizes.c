// Halves and the whole of one word, all atomic: no race. The reader of the whole sees each half written or not, and
// that the low half is written first.
// OUTCOME: exit 0, prints "0"
// OUTCOME: exit 0, prints "1"
// OUTCOME: exit 0, prints "100000001"
// GRAPHS END: accesses of different sizes to one address
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static union {
  _Atomic unsigned long whole;
  _Atomic unsigned half[2];
} word;

static void* write_halves(void* p) {
  atomic_store_explicit(&word.half[0], 1, memory_order_release);
  atomic_store_explicit(&word.half[1], 1, memory_order_release);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write_halves, 0);
  const unsigned long seen = atomic_load_explicit(&word.whole, memory_order_acquire);
  pthread_join(t, 0);
  printf("%lx", seen);
  return 0;
}
