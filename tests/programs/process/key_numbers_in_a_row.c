// Two keys of one thread need not have numbers in a row.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t a, b, c;

static void *makes(void *arg) {
  pthread_key_create(&a, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, makes, NULL);
  pthread_key_create(&b, NULL);
  pthread_key_create(&c, NULL);
  pthread_join(t, NULL);
  assert(c == b + 1);  // ERROR(assertion)!
  return 0;
}
