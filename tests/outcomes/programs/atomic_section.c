// An atomic section is atomic against everything: the atomic accesses outside of it, and the mutex, come before it or
// behind it, never in between. So the sum that the section reads twice is the same both times: 2 + 2, 3 + 3 ...
// The other thread's two updates are two steps: the section sees 0, 1 or 2 of them.
// OUTCOME: exit 0, prints "00"
// OUTCOME: exit 0, prints "11"
// OUTCOME: exit 0, prints "22"
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *p) {
  x++;
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  __VERIFIER_atomic_begin();
  int first = x;
  int second = x;
  __VERIFIER_atomic_end();
  printf("%d%d", first, second);
  pthread_join(t, 0);
  return 0;
}
