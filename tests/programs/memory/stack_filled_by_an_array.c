// A thread has a local array that is larger than its stack.
#include <pthread.h>
#include <string.h>

static int sum(const char *values, unsigned long count) {
  int total = 0;
  for (unsigned long i = 0; i < count; i += 4096) total += values[i];
  return total;
}

static void *works(void *result) {
  char values[16 << 20];  // ERROR(stack-overflow)!
  memset(values, 1, sizeof values);
  *(int *)result = sum(values, sizeof values);
  return NULL;
}

int main(void) {
  pthread_t t;
  int result = 0;
  pthread_create(&t, NULL, works, &result);
  pthread_join(t, NULL);
  return result == 0;
}
