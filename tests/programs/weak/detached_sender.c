// The process may end before a detached thread: what that shows is part of what it shows if the thread comes first.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int letter;
static atomic_int full;

static void *send(void *unused) {
  letter = 1;
  atomic_store_explicit(&full, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, send, 0);
  pthread_detach(sender);
  if (atomic_load_explicit(&full, memory_order_acquire)) assert(letter == 1);
  return 0;
}
