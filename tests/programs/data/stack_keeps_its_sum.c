// What two threads push and pop is what is left.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned stack[4], depth, pushed, popped;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *unused) {
  const unsigned number = __VERIFIER_nondet_uchar();
  pthread_mutex_lock(&guard);
  stack[depth++] = number;
  pushed += number;
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *pop(void *unused) {
  pthread_mutex_lock(&guard);
  if (depth > 0) popped += stack[--depth];
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, push, 0);
  pthread_create(&threads[1], 0, push, 0);
  pthread_create(&threads[2], 0, pop, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  unsigned left = 0;
  for (unsigned i = 0; i < depth; ++i) left += stack[i];
  assert(pushed == popped + left);
  return 0;
}
