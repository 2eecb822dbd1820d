// A slot that goes back and forth: its flag says whose turn it is.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int full;
static int letter;

static void *send(void *unused) {
  for (int i = 1; i <= 2; ++i) {
    while (atomic_load_explicit(&full, memory_order_acquire)) {
    }
    letter = i;
    atomic_store_explicit(&full, 1, memory_order_release);
  }
  return unused;
}

static void *receive(void *unused) {
  for (int i = 1; i <= 2; ++i) {
    while (!atomic_load_explicit(&full, memory_order_acquire)) {
    }
    assert(letter == i);
    atomic_store_explicit(&full, 0, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, send, 0);
  pthread_create(&b, 0, receive, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
