// One permit is there. The request may come before the first wait (which then does not take it), or later: then the
// thread ends in printf, which may be a cancellation point, or at the second wait, which has no permit. main's look at
// the semaphore says whether the permit was taken.
// OUTCOME: exit 0, prints "C1"
// OUTCOME: exit 0, prints "tC0"
// OUTCOME: exit 0, prints "C0"
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t s;

static void* work(void* p) {
  sem_wait(&s);
  printf("t");
  sem_wait(&s);
  printf("u");
  return p;
}

int main(void) {
  pthread_t t;
  void* result;
  int left;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, work, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  sem_getvalue(&s, &left);
  printf("%s%d", result == PTHREAD_CANCELED ? "C" : "N", left);
  return 0;
}
