// A member of an array in a thread-local structure, given back as the thread's result.
#include <pthread.h>
#include <stddef.h>

static _Thread_local struct {
  int count;
  int values[4];
} mine;

static void *fills(void *arg) {
  mine.values[2] = 3;
  return &mine.values[2];
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, &result);
  *(int *)result += 1;  // ERROR(use-after-free)!
  return 0;
}
