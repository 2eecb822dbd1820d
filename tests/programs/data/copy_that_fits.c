// As many bytes as there is room for are copied; a full box is noticed.
// SETTINGS: unknown-data: symbolic
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static char box[8];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *unused) {
  pthread_mutex_lock(&guard);
  assert(box[7] == 0);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  const char message[16] = "a long message";
  const unsigned char length = __VERIFIER_nondet_uchar();
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  pthread_mutex_lock(&guard);
  if (length <= sizeof box) memmove(box, message, length);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
