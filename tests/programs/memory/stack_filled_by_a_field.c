// One field of a large structure is used, in nested calls that together need more than their stack.
#include <limits.h>
#include <pthread.h>

struct page {
  int first;
  char rest[16 << 10];
};

static int depth(int n) {
  struct page page;  // ERROR(stack-overflow)!
  page.first = n;
  return n == 0 ? 0 : depth(n - 1) + page.first;
}

static void *works(void *result) {
  *(int *)result = depth(600);
  return NULL;
}

int main(void) {
  pthread_t t;
  int result = 0;
  pthread_create(&t, NULL, works, &result);
  pthread_join(t, NULL);
  return result == 0;
}
