// In the round after atomic_init the flag is relaxed: its reader may miss the letter, but sees no earlier round.
// SAYS: only under RC11: assertion 'letter == 2' failed (`letter_box` at line 19 is read relaxed)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int full, letter_box;

static void *send(void *round) {
  atomic_store_explicit(&letter_box, *(int *)round, memory_order_relaxed);
  atomic_store_explicit(&full, 1, memory_order_relaxed);
  return round;
}

static void *receive(void *round) {
  if (*(int *)round == 1) return round;
  if (!atomic_load_explicit(&full, memory_order_relaxed)) return round;
  const int letter =
      atomic_load_explicit(&letter_box, memory_order_relaxed);
  assert(letter != 1);
  assert(letter == 2);  // ERROR(assertion)!
  return round;
}

int main(void) {
  for (int round = 1; round <= 2; ++round) {
    atomic_init(&full, 0);
    atomic_init(&letter_box, 0);
    pthread_t sender, receiver;
    pthread_create(&sender, 0, send, &round);
    pthread_create(&receiver, 0, receive, &round);
    pthread_join(sender, 0);
    pthread_join(receiver, 0);
  }
  return 0;
}
