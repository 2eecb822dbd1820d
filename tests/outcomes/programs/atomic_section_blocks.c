// A section that waits for a mutex gives way until it can go on: no deadlock. It goes on when the mutex is free, so that
// it prints behind the holder's write; or it came first.
// OUTCOME: exit 0, prints "0"
// OUTCOME: exit 0, prints "1"
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>
#include <stdio.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *holder(void *p) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, holder, 0);
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m);
  int seen = x;
  pthread_mutex_unlock(&m);
  __VERIFIER_atomic_end();
  printf("%d", seen);
  pthread_join(t, 0);
  return 0;
}
