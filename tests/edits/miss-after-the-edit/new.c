// STEP1: misses
// STEP2: finds
// The second kind of miss: the effect of the edit bites later, between two threads neither of which was edited.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mode, x;

static void *edited(void *arg) {
  mode = 1;
  return arg;
}

static void *writer(void *arg) {
  if (mode) {
    x = 1;
    x = 0;
  }
  return arg;
}

static void *reader(void *arg) {
  assert(x == 0);  // ASSERT!
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, edited, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_create(&c, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
