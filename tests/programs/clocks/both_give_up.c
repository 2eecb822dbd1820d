// Each side may give up, but not both.
// both give up: the pair is left half done
#include <pthread.h>
#include <time.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int a, b, left;
static int waits(atomic_int *f) { for (time_t end = time(0) + 2; !*f;) if (time(0) > end) return 0; return 1; }
static void *w(void *p) { a = 1; left += waits(&b); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); b = 1; left += waits(&a); pthread_join(t, 0);
  assert(left > 0);
  assert(left == 2);  // ERROR(assertion)!
}
