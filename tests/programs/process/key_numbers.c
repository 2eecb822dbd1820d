// Which key gets which number depends on the order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t a, b;

static void *makes(void *arg) {
  pthread_key_create(&a, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, makes, NULL);
  pthread_key_create(&b, NULL);
  pthread_join(t, NULL);
  assert(b < a);  // ERROR(assertion)!
  return 0;
}
