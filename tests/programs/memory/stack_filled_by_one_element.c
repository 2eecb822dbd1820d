// A local array is larger than the stack, although the thread uses a few of its elements only.
#include <pthread.h>

static void *works(void *p) {
  char values[64 << 20];  // ERROR(stack-overflow)!
  values[5] = *(char *)p;
  *(char *)p = values[5] + 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  char result = 0;
  pthread_create(&t, NULL, works, &result);
  pthread_join(t, NULL);
  return result != 1;
}
