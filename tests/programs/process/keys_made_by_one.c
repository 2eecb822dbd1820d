// VERDICT: clear
// STATS: executions=1
// One thread makes the keys, both use them.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t a, b;

static void *uses(void *arg) {
  pthread_setspecific(a, arg);
  pthread_setspecific(b, NULL);
  assert(pthread_getspecific(a) == arg);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&a, NULL);
  pthread_key_create(&b, NULL);
  assert(a < b);
  pthread_create(&t, NULL, uses, &t);
  uses(&a);
  pthread_join(t, NULL);
  return 0;
}
