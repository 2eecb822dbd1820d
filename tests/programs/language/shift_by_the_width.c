// A shift by the width of its operand counts modulo the width, as the processor does it.
#include <assert.h>
#include <pthread.h>

static volatile unsigned by = 32;
static volatile unsigned long by_long = 64;

static void *worker(void *arg) {
  const volatile unsigned shifted = 1u << by;
  assert(shifted == 0);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  const volatile unsigned long one = 1ul << by_long;
  const volatile unsigned eight = 8u >> by;
  const volatile int negative = -8 >> by;
  assert(one == 1 && eight == 8 && negative == -8);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
