// What one thread assumes of a number does not hold for another thread that has used it before.
// SAYS: __VERIFIER_nondet_uchar() = 0
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
static unsigned char size;
static int left;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *trust(void *unused) {
  __VERIFIER_assume(size >= 2);
  pthread_mutex_lock(&guard);
  left -= size;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *divide(void *unused) {
  pthread_mutex_lock(&guard);
  left += 100 / size;  // ERROR(division-by-zero)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t one, other;
  size = __VERIFIER_nondet_uchar();
  pthread_create(&one, 0, trust, 0);
  pthread_create(&other, 0, divide, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
