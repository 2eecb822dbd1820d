// The stack that is asked for is too small, so the attribute is refused, and nobody looks at that but the assertion.
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, 4096) == 0);  // ERROR(assertion)!
  pthread_create(&t, &attributes, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
