// An atomic structure of 12 bytes, by calls of libatomic: who finds the new value with a relaxed order may miss the message.
// SAYS: only under RC11: assertion 'text == 1' failed (`text_at` at line 25 is read relaxed)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct word {
  uint32_t low, middle, high;
};
static struct word flag;
static atomic_int text_at;

static void *send(void *unused) {
  atomic_store_explicit(&text_at, 1, memory_order_relaxed);
  struct word tagged = {0, 0, 1};
  __atomic_store(&flag, &tagged, __ATOMIC_RELEASE);
  return unused;
}

static void *receive(void *unused) {
  struct word seen = {0, 0, 1}, fresh = {5, 5, 5};
  if (!__atomic_compare_exchange(&flag, &seen, &fresh, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return unused;
  const int text =
      atomic_load_explicit(&text_at, memory_order_relaxed);
  assert(text == 1);  // ERROR(assertion)!
  return unused;
}

int main(void) {
  pthread_t sender, receiver;
  pthread_create(&sender, 0, send, 0);
  pthread_create(&receiver, 0, receive, 0);
  pthread_join(sender, 0);
  pthread_join(receiver, 0);
  return 0;
}
