// A message whose flag is a structure that libatomic locks: only its calls have orders weaker than seq_cst.
// VERDICT: clear
// SAYS: rc11: 2 execution graphs explored
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct word {
  uint32_t low, middle, high;
};
static struct word flag;
static int text;

static void *send(void *unused) {
  text = 1;
  struct word tagged = {0, 0, 1};
  __atomic_store(&flag, &tagged, __ATOMIC_RELEASE);
  return unused;
}

static void *receive(void *unused) {
  struct word seen;
  __atomic_load(&flag, &seen, __ATOMIC_ACQUIRE);
  if (seen.high == 1) assert(text == 1);
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
