// The helper joins a thread that waits for main. A request stops the helper in its join (or before): the thread is not
// joined then, and main does it. If the helper comes first it returns.
// OUTCOME: exit 0, prints "C"
// OUTCOME: exit 0, prints "N"
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t s;
static pthread_t worker;

static void* work(void* p) {
  sem_wait(&s);
  return p;
}

static void* help(void* p) {
  pthread_join(worker, 0);
  return p;
}

int main(void) {
  pthread_t helper;
  void* result;
  sem_init(&s, 0, 0);
  pthread_create(&worker, 0, work, 0);
  pthread_create(&helper, 0, help, 0);
  sem_post(&s);
  pthread_cancel(helper);
  pthread_join(helper, &result);
  if (result == PTHREAD_CANCELED) pthread_join(worker, 0);
  printf(result == PTHREAD_CANCELED ? "C" : "N");
  return 0;
}
