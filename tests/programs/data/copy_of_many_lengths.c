// Counts above 61 are not told apart: the error of one of them may stay unseen, and the verdict says so.
// SETTINGS: unknown-data: symbolic
// VERDICT: inconclusive
// SAYS: tries only the smallest
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static char box[100], message[128];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *unused) {
  pthread_mutex_lock(&guard);
  assert(box[80] == 0);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  memset(message, 1, sizeof message);
  const unsigned char length = __VERIFIER_nondet_uchar();
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  pthread_mutex_lock(&guard);
  if (length <= sizeof box) memcpy(box, message, length);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
