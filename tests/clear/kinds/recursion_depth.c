// A call that never comes back, then one that does.
// STATEMENT: deep(-1);
// STATEMENT: deep(5);
// STATEMENT: deep(100);
#include "all.h"
static int x; static int deep(int n) { return n == 0 ? 0 : deep(n - 1) + 1; }
HELPERS
static void *v(void *p) { STATEMENT x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, v, 0); x++; pthread_join(t, 0); return 0; }
