// A block of one thread alone.
// LOCAL: the statement uses variables of its function
// STATEMENT: free(q);
// STATEMENT:
// STATEMENT: if (x < 9) free(q);
// STATEMENT: if (x == 1) free(q);
// STATEMENT: q = 0; free(q);
#include "all.h"

atomic_int x;
HELPERS
static void *w(void *p) { char *q = malloc(8); q[0] = 1; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return x - 1; }
