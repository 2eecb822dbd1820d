// What comes after a free, and what before.
// STATEMENT: q[0] = 1; free(q);
// STATEMENT: free(q); q[0] = 1;
// STATEMENT: done(q); x += q[0];
// STATEMENT: x += q[0]; done(q);
// STATEMENT: if (x > 5) done(q); else free(q);
// LOCAL
#include "all.h"

int x;
static void done(int *q) { free(q); }
HELPERS
static void *w(void *p) { int *q = calloc(2, sizeof *q); if (!q) return 0; STATEMENT (void)done; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
