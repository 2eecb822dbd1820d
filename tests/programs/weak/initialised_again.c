// Each round begins with an atomic object that plain stores set up again: nobody sees what the round before stored.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct mailbox {
  atomic_int full;
  int letter;
} box;

static void *send(void *round) {
  box.letter = *(int *)round;
  atomic_store_explicit(&box.full, *(int *)round, memory_order_release);
  return round;
}

static void *receive(void *round) {
  const int full = atomic_load_explicit(&box.full, memory_order_acquire);
  if (full) assert(full == *(int *)round && box.letter == full);
  return round;
}

int main(void) {
  for (int round = 1; round <= 3; ++round) {
    if (round == 1)
      atomic_init(&box.full, 0);
    else if (round == 2)
      memset(&box, 0, sizeof box);
    else
      box = (struct mailbox){0};
    pthread_t sender, receiver;
    pthread_create(&sender, 0, send, &round);
    pthread_create(&receiver, 0, receive, &round);
    pthread_join(sender, 0);
    pthread_join(receiver, 0);
  }
  return 0;
}
