// Blocks that nobody frees.
// STATEMENT:
// STATEMENT: void *r = malloc(4); (void)r;
// STATEMENT: char *r = strdup("abc"); (void)r;
// STATEMENT: free(keep); keep = 0;
// STATEMENT: free(keep);
#include "all.h"

atomic_int x; static void *keep;
HELPERS
static void *w(void *p) { int *q = malloc(8); *q = 1; keep = q; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); free(keep); return x - 1; }
