// Atomic accesses fail by their address, too.
// STATEMENT: q = &a[1];
// STATEMENT: q = 0;
// STATEMENT: q = a + 2;
// STATEMENT: q = &a[0];
#include "all.h"

int x;
static atomic_int a[2], *q;
HELPERS
static void *w(void *p) { STATEMENT atomic_fetch_add(q, 1); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
