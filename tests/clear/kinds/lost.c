// Nothing leads to a block any more.
// STATEMENT:
// STATEMENT: keep = 0;
// STATEMENT: memset(&keep, 0, sizeof keep);
// STATEMENT: other = keep; keep = 0;
// STATEMENT: free(keep); keep = 0;
#include "all.h"

atomic_int x; static void *keep, *other;
HELPERS
static void *w(void *p) { int *q = malloc(8); *q = 1; keep = q; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return x - 1 + !keep; }
