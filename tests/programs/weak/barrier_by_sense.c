// A barrier of two threads: the last to come turns the sense.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int here, sense;
static int parts[2];

static void meet(void) {
  if (atomic_fetch_add_explicit(&here, 1, memory_order_acq_rel) == 1) {
    atomic_store_explicit(&sense, 1, memory_order_release);
  } else {
    while (!atomic_load_explicit(&sense, memory_order_acquire)) {
    }
  }
}

static void *first(void *unused) {
  parts[0] = 1;
  meet();
  assert(parts[1] == 2);
  return unused;
}

static void *second(void *unused) {
  parts[1] = 2;
  meet();
  assert(parts[0] == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
