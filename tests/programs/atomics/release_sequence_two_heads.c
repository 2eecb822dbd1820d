// Two threads release into one sequence. The relaxed store of the first goes on with what it released itself, through
// the other's exchange; what the other released ends there.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int first, second;

static void *sends(void *arg) {
  first = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 2) atomic_store_explicit(&flag, 3, memory_order_relaxed);
  return arg;
}

static void *joins_in(void *arg) {
  int one = 1;
  second = 1;  // RACE?
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_release, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sends, NULL);
  pthread_create(&t[1], NULL, joins_in, NULL);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 3) {
    first++;
    second++;  // RACE!
  }
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
