// A message between a release fence and an acquire fence; the flag itself is relaxed.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sent;
static int message;

static void *send(void *unused) {
  message = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&sent, 1, memory_order_relaxed);
  return unused;
}

static void *receive(void *unused) {
  if (atomic_load_explicit(&sent, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    assert(message == 1);
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
