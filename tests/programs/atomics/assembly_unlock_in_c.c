// The lock is taken in assembly and given back by an assignment.
#include <pthread.h>

static int lock;
static int count;

static int taken(int *p) {
  int old = 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(*p) : : "memory");  // RACE?
  return old;
}

static void *worker(void *arg) {
  while (taken(&lock)) __asm__ volatile("pause");
  ++count;  // RACE?
  lock = 0;  // RACE!
  return arg;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, worker, NULL);
  worker(NULL);
  pthread_join(other, NULL);
  return 0;
}
