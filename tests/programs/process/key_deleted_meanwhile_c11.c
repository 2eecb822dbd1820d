// The same with C11's names: what is looked up after the deletion is a null pointer.
#include <stddef.h>
#include <threads.h>

static tss_t key;
static int value;

static int uses(void *arg) {
  (void)arg;
  if (tss_set(key, &value) != thrd_success) return 1;
  int *own = tss_get(key);
  *own = 1;  // ERROR(null-dereference)!
  return 0;
}

int main(void) {
  thrd_t t;
  tss_create(&key, NULL);
  thrd_create(&t, uses, NULL);
  tss_delete(key);
  thrd_join(t, NULL);
  return 0;
}
