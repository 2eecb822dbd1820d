// An access to a thread's own variable.
// LOCAL: the statement uses variables of its function
// STATEMENT: own[3] = 1; x = 0;
// STATEMENT: own[4] = 1; x = 0;
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { int own[4]; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
