// A helper that nobody ran before has nothing of its own that others see: what it calls has, and was run before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

void count(void) {
  assert(shared < 2);  // ERROR(assertion)!
  shared += 2;
}

void helper(void) { count(); }

static void *first(void *arg) {
  helper();
  int expected = 0;
  atomic_compare_exchange_strong(&shared, &expected, 1);
  return arg;
}

static void *second(void *arg) {
  count();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
