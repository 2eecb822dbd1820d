// The stack that was asked for is smaller than a local array, and the calls of another thread nest too deep for it.
#include <pthread.h>
#include <string.h>

static int depth(int n) { return n == 0 ? 0 : depth(n - 1) + n % 3; }  // ERROR(stack-overflow)!

static void *calls(void *result) {
  *(int *)result = depth(*(int *)result);  // ERROR(stack-overflow)?
  return NULL;
}

static void *fills(void *result) {
  char text[100 << 10];  // ERROR(stack-overflow)!
  memset(text, 1, sizeof text);
  *(int *)result = text[*(int *)result];
  return NULL;
}

int main(void) {
  int first = 5000, second = 5000;
  pthread_t a, b;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  pthread_create(&a, &small, calls, &first);
  pthread_create(&b, &small, fills, &second);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_attr_destroy(&small);
  return first == second;
}
