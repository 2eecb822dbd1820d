// With cancellation disabled the first point does nothing; the second one acts if the request has come by then.
// OUTCOME: exit 0, prints "abC"
// OUTCOME: exit 0, prints "abcN"
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>
#include <stdio.h>

static void* work(void* p) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  printf("a");
  pthread_testcancel();
  printf("b");
  pthread_setcancelstate(old, 0);
  pthread_testcancel();
  printf("c");
  return p;
}

int main(void) {
  pthread_t t;
  void* result;
  pthread_create(&t, 0, work, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  printf(result == PTHREAD_CANCELED ? "C" : "N");
  return 0;
}
