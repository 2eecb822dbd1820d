// VERDICT: clear
// SAYS: of a stack whose size the program sets, only
// Large arrays fit a stack that was asked for, or are in scope one after the other.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

static int depth(int n) { return n == 0 ? 0 : depth(n - 1) + n % 3; }

static void *large(void *result) {
  char values[16 << 20];
  memset(values, 1, sizeof values);
  *(int *)result = values[*(int *)result] + depth(300000);
  return NULL;
}

static int twice(int n) {
  if (n > 3) {
    char first[5 << 20];
    memset(first, n, sizeof first);
    n = first[n];
  }
  for (int i = 0; i < 3; i++) {
    char second[5 << 20];
    memset(second, n, sizeof second);
    n = second[i + 1];
  }
  return n;
}

static int of(unsigned long size) {
  char *const values = alloca(size);
  memset(values, 1, size);
  return values[size / 2];
}

int main(void) {
  int result = 5000;
  size_t size = 0;
  struct rlimit most;
  pthread_t t;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &size);
  assert(size == 8 << 20 && getrlimit(RLIMIT_STACK, &most) == 0 && most.rlim_cur == size);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  pthread_create(&t, &attributes, large, &result);
  pthread_join(t, NULL);
  for (int i = 0; i < 20; i++) result += of(7 << 20);
  assert(twice(5) == 5 && result > 20);
  return 0;
}
