// By the standard only mtx_init makes a mutex of C11.
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static int count;

static int counts(void *arg) {
  (void)arg;
  mtx_lock(&m);  // ERROR(lock-misuse)!
  count++;
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  thrd_t t;
  thrd_create(&t, counts, NULL);
  thrd_join(t, NULL);
  return count - 1;
}
