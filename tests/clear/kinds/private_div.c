// A division that nobody but its thread sees.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: r = quotient(0);
// STATEMENT: r = quotient(1);
// STATEMENT: r = 10 / (1 - 1);
// STATEMENT: r = 7 % 7;
// STATEMENT: r = neg(1);
// STATEMENT: r = neg(-2147483647 - 1);
#include "all.h"

int x; static int quotient(int d) { return 10 / d; } static int neg(int v) { volatile int k = v; return k / -1; }
HELPERS
static void *w(void *p) { volatile int r = 0; (void)r; (void)quotient; (void)neg; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
