// VERDICT: clear
// A spinlock of inline assembly: xchg takes it, a plain store of the processor gives it back.
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int count;

static int taken(volatile int *p) {
  int old = 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(*p) : : "memory");
  return old;
}

static void *worker(void *arg) {
  while (taken(&lock)) __asm__ volatile("pause");
  ++count;
  __asm__ volatile("movl $0, %0" : "=m"(lock) : : "memory");
  return arg;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, worker, NULL);
  worker(NULL);
  pthread_join(other, NULL);
  assert(count == 2);
  return 0;
}
