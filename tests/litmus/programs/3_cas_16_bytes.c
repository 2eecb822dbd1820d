// Three compare-exchanges of 16 bytes, of which one comes first and wins: the values differ in the last bytes only.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// formula: sc 3 tso 3 ra 3 rc11 3
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
// flags: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct pair {
  long low, high;
};
static _Atomic(struct pair) x;
static int won;

static void* try(void* value) {
  struct pair none = {0, 0}, own = {0, *(int*)value};
  if (atomic_compare_exchange_strong_explicit(&x, &none, own, memory_order_relaxed, memory_order_relaxed))
    won = (int)own.high;
  return value;
}

int main(void) {
  pthread_t threads[3];
  int values[3];
  for (int n = 0; n < 3; ++n) {
    values[n] = n + 1;
    pthread_create(&threads[n], NULL, try, &values[n]);
  }
  for (int n = 0; n < 3; ++n) pthread_join(threads[n], NULL);
  const struct pair end = atomic_load_explicit(&x, memory_order_relaxed);
  assert(end.high == won);
  return 0;
}
