// The same by threads.h.
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static tss_t a, b;

static int makes(void *arg) {
  (void)arg;
  tss_create(&a, NULL);
  return 0;
}

int main(void) {
  thrd_t t;
  thrd_create(&t, makes, NULL);
  tss_create(&b, NULL);
  thrd_join(t, NULL);
  assert(b < a);  // ERROR(assertion)!
  return 0;
}
