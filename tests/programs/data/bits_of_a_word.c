// All 32 bits are set in one word only.
// SETTINGS: unknown-data: symbolic
// SAYS: = 4294967295
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int done;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *finish(void *unused) {
  pthread_mutex_lock(&guard);
  done = 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  unsigned word = __VERIFIER_nondet_uint();
  unsigned bits = 0;
  for (int i = 0; i < 32; ++i) bits += word >> i & 1;
  pthread_mutex_lock(&guard);
  assert(bits < 32 || !done);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
