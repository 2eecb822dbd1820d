// A length that is read from the input is compared with the wrong bound.
// SETTINGS: unknown-data: symbolic

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int message[4];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *parse(void *unused) {
  const int length = __VERIFIER_nondet_int();
  if (length < 0 || length > 5) return unused;
  for (int i = 0; i < length; ++i) {
    const int word = __VERIFIER_nondet_int();
    if (word == 0) break;
    pthread_mutex_lock(&guard);
    message[i] = word;  // ERROR(out-of-bounds)!
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, parse, 0);
  pthread_join(thread, 0);
  return 0;
}
