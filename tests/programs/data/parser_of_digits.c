// Three characters become a number below 1000, or an error.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern char __VERIFIER_nondet_char(void);

static int result = -1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *parse(void *unused) {
  int number = 0;
  for (int i = 0; i < 3; ++i) {
    const char c = __VERIFIER_nondet_char();
    if (c < '0' || c > '9') return unused;
    number = number * 10 + (c - '0');
  }
  pthread_mutex_lock(&guard);
  result = number;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, parse, 0);
  pthread_mutex_lock(&guard);
  assert(result >= -1 && result <= 999);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
