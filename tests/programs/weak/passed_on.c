// A message that a second thread passes on: each link of the chain acquires and releases.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first_link, second_link;
static int message;

static void *pass(void *unused) {
  if (atomic_load_explicit(&first_link, memory_order_acquire))
    atomic_store_explicit(&second_link, 1, memory_order_release);
  return unused;
}

static void *receive(void *unused) {
  if (atomic_load_explicit(&second_link, memory_order_acquire)) assert(message == 1);
  return unused;
}

static void *send(void *unused) {
  message = 1;
  atomic_store_explicit(&first_link, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t c;
  pthread_create(&c, 0, send, 0);
  pthread_t a, b;
  pthread_create(&a, 0, pass, 0);
  pthread_create(&b, 0, receive, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
