// A block's size.
// LOCAL: the statement uses variables of its function
// STATEMENT: q = malloc(8);
// STATEMENT: q = malloc(3);
// STATEMENT: q = malloc(3 + (x >= 0));
// STATEMENT: q = calloc(1, 4);
// STATEMENT: q = strdup("ab");
#include "all.h"

atomic_int x;
HELPERS
static void *w(void *p) { char *q; STATEMENT q[3] = 1; free(q); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return x - 1; }
