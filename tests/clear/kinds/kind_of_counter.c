// Whose a counter is.
// LOCAL: the statement uses variables of its function
// STATEMENT: static _Thread_local
// STATEMENT: static
// STATEMENT:
// STATEMENT: static _Atomic
#include "all.h"

HELPERS
int x; STATEMENT int f;
static void *w(void *p) { f++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); f++; pthread_join(t, 0); return 0; }
