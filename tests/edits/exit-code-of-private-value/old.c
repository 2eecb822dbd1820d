// What decides the exit code is private by then: only the result of a function changes.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *add(void *arg) {
  int seen = n;
  n = seen + 1;
  return arg;
}

static int judge(int got) {
  (void)got;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int got = n;
  return judge(got);
}
