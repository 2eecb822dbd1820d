// Three threads look at a lock before they try it. The n-th saw it free at one of n times: 3! * 3!.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// formula: sc 3!*3! tso 3!*3! ra 3!*3! rc11 3!*3!
// graphs: sc 36 tso 36 ra 36 rc11 36
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock;
static int x;

static void* first(void* unused) {
  int seen;
  do {
    while (atomic_load_explicit(&lock, memory_order_relaxed) != 0) {
    }
    seen = 0;
  } while (!atomic_compare_exchange_strong_explicit(&lock, &seen, 1, memory_order_acquire, memory_order_relaxed));
  ++x;
  atomic_store_explicit(&lock, 0, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  int seen;
  do {
    while (atomic_load_explicit(&lock, memory_order_relaxed) != 0) {
    }
    seen = 0;
  } while (!atomic_compare_exchange_strong_explicit(&lock, &seen, 1, memory_order_acquire, memory_order_relaxed));
  ++x;
  atomic_store_explicit(&lock, 0, memory_order_release);
  return unused;
}

static void* third(void* unused) {
  int seen;
  do {
    while (atomic_load_explicit(&lock, memory_order_relaxed) != 0) {
    }
    seen = 0;
  } while (!atomic_compare_exchange_strong_explicit(&lock, &seen, 1, memory_order_acquire, memory_order_relaxed));
  ++x;
  atomic_store_explicit(&lock, 0, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  assert(x == 3);
  return 0;
}
