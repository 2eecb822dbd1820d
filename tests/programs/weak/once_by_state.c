// Initialisation by the thread that changes the state first; the others wait for the last state.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int made;

static void *use(void *unused) {
  int fresh = 0;
  if (atomic_compare_exchange_strong_explicit(&state, &fresh, 1, memory_order_relaxed, memory_order_relaxed)) {
    made = 42;
    atomic_store_explicit(&state, 2, memory_order_release);
  }
  while (atomic_load_explicit(&state, memory_order_acquire) != 2) {
  }
  assert(made == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
