// The clock of C11 ends the wait.
#include <threads.h>
#include <time.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int ready;
static int w(void *p) { ready = 1; return 0; }
int main(void) { thrd_t t; thrd_create(&t, w, 0); struct timespec s, n; timespec_get(&s, TIME_UTC);
  do { timespec_get(&n, TIME_UTC); thrd_yield(); } while (!ready && n.tv_sec < s.tv_sec + 3);
  assert(ready);  // ERROR(assertion)!
  thrd_join(t, 0); }
