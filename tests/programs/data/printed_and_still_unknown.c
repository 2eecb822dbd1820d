// What is printed stays unknown: an error behind the output needs one value in four billion.
// SETTINGS: unknown-data: symbolic
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned last;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused) {
  const unsigned key = __VERIFIER_nondet_uint();
  printf("key %u\n", key);
  fprintf(stderr, "key %#x\n", key);
  putchar((int)(key & 0x7f));
  pthread_mutex_lock(&guard);
  last = key;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  pthread_join(thread, 0);
  assert(last != 3000000019u);  // ERROR(assertion)!
  return 0;
}
