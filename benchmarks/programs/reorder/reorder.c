// Reorder: setters change two values together, checkers see both or neither.
// Models:     the Java kernel reorder of the thesis (its bug: the two values are not set atomically). The mended form:
//             both are set, and both are read, in one critical section.
// Threads:    main, SETTERS setters, CHECKERS checkers (1 and 1 in the thesis).
// Size:       44 lines in Java.
// Parameters: SETTERS, CHECKERS.
// Scaled:     -DSETTERS=4 -DCHECKERS=4
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 1
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

struct Values {
  pthread_mutex_t lock;
  int a;
  int b;
};

static struct Values values = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static int checks_passed;
static pthread_mutex_t result_lock = PTHREAD_MUTEX_INITIALIZER;

static void* set_both(void* argument) {
  struct Values* v = argument;
  pthread_mutex_lock(&v->lock);
  v->a = 1;
  v->b = -1;
  pthread_mutex_unlock(&v->lock);
  return 0;
}

static int are_together(const struct Values* v) {
  return (v->a == 0 && v->b == 0) || (v->a == 1 && v->b == -1);
}

static void* check_both(void* argument) {
  struct Values* v = argument;
  pthread_mutex_lock(&v->lock);
  int together = are_together(v);
  pthread_mutex_unlock(&v->lock);
  assert(together);
  pthread_mutex_lock(&result_lock);
  checks_passed++;
  pthread_mutex_unlock(&result_lock);
  return 0;
}

int main(void) {
  pthread_t threads[SETTERS + CHECKERS];
  for (int i = 0; i < SETTERS; i++) pthread_create(&threads[i], 0, set_both, &values);
  for (int i = 0; i < CHECKERS; i++) pthread_create(&threads[SETTERS + i], 0, check_both, &values);
  for (int i = 0; i < SETTERS + CHECKERS; i++) pthread_join(threads[i], 0);
  assert(checks_passed == CHECKERS && values.a == 1);
  return 0;
}
