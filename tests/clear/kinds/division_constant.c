// A division by what is known when it is compiled.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: r = 10 / (1 - 1);
// STATEMENT: r = 10 % (2 * 0);
// STATEMENT: r = 10 / (3 - 1);
// STATEMENT: r = k ? 10 / 0 : 1;
#include "all.h"

int x;
HELPERS
static void *w(void *p) { volatile int r = 0, k = 0; (void)r; (void)k; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
