// A message says how long it is; eight bytes are there, and one too many is believed.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static char box[8];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *clear(void *unused) {
  pthread_mutex_lock(&guard);
  memset(box, 0, sizeof box);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  const char message[16] = "a long message";
  const unsigned char length = __VERIFIER_nondet_uchar();
  pthread_t thread;
  pthread_create(&thread, 0, clear, 0);
  pthread_mutex_lock(&guard);
  if (length <= sizeof box + 1) memcpy(box, message, length);  // ERROR(out-of-bounds)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
