// The limit ends one thread's path only.
// STATEMENT: unknown_function();
// STATEMENT:
// STATEMENT: sched_yield();
// STATEMENT: if (x > 3) unknown_function();
// STATEMENT: if (x == 0) unknown_function();
#include "all.h"
void unknown_function(void);
static atomic_int x; static int n;
HELPERS
static void *v(void *p) { STATEMENT if (x == 1) n++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, v, 0); x = 1; n++; pthread_join(t, 0); return 0; }
