// Head and tail wrap at 2^32; the difference stays right wherever they start.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned head, tail;
static int ring[4];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&guard);
    if (tail - head < 4) ring[tail++ & 3] = 1;
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  head = tail = __VERIFIER_nondet_uint();
  pthread_t thread;
  pthread_create(&thread, 0, fill, 0);
  pthread_mutex_lock(&guard);
  assert(tail - head <= 2);
  if (tail != head) assert(ring[head++ & 3] == 1);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
