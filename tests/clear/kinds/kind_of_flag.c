// How a flag is declared.
// LOCAL: the statement uses variables of its function
// STATEMENT: _Atomic
// STATEMENT: volatile
// STATEMENT:
// STATEMENT: _Atomic volatile
#include "all.h"

HELPERS
int x; STATEMENT int f;
static void *w(void *p) { x = 1; f = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (f) x++; pthread_join(t, 0); return 0; }
