// What the library calls back is in a file that nobody compiled.
// VERDICT: inconclusive
// SAYS: has the library call 'elsewhere', which the project does not define
#include <pthread.h>
#include <stdlib.h>

int elsewhere(const void *a, const void *b);

static void *work(void *argument) {
  int values[3] = {3, 1, 2};
  qsort(values, 3, sizeof values[0], elsewhere);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
