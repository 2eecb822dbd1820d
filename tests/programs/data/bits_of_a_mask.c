// Counts of bits, rotations and saturation stay expressions; each of the wrong values is one of 65,536.
// SETTINGS: unknown-data: symbolic
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned mask, added;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *check(void *unused) {
  pthread_mutex_lock(&guard);
  if (added == 255 && mask != 0) assert(__builtin_popcount(mask) != 7 || __builtin_ctz(mask) != 9);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  const unsigned char low = __VERIFIER_nondet_uchar(), high = __VERIFIER_nondet_uchar();
  unsigned char sum;
  if (__builtin_add_overflow(low, high, &sum)) sum = 255;
  pthread_t thread;
  pthread_create(&thread, 0, check, 0);
  pthread_mutex_lock(&guard);
  mask = __builtin_bswap32((unsigned)low << 24 | (unsigned)high << 16) << 2;
  added = sum;
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
