// The initialiser calls pthread_once on its own control: it waits for itself.
// OUTCOME: stuck, prints "a"
// FINDINGS: deadlock
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
  printf("a");
  pthread_once(&once, initialise);
  printf("b");
}

int main(void) {
  pthread_once(&once, initialise);
  return 0;
}
