// A loop that does not join every thread of its array.
#include <pthread.h>

static int data[3];
static int skipped = 1;

static void* work(void* argument) {
  int* own = argument;
  *own = 1;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, &data[i]);
  for (int i = 0; i < 3; i++) {
    if (i != skipped) pthread_join(threads[i], 0);
  }
  int sum = data[0] + data[1] + data[2];
  pthread_join(threads[1], 0);
  return sum > 3;
}
