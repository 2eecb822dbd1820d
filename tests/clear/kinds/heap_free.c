// A block freed, and again.
// STATEMENT: free(keep);
// STATEMENT:
// STATEMENT: free(keep); *(int *)keep = 1;
// STATEMENT: free(keep); free(keep);
// STATEMENT: keep = realloc(keep, 16);
#include "all.h"

atomic_int x; static void *keep;
HELPERS
static void *w(void *p) { int *q = malloc(8); *q = 1; keep = q; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0);  return x - 1; }
