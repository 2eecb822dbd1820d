// An access to a thread's own variable.
// LOCAL: the statement uses variables of its function
// STATEMENT: own[3] = 1; x = own[1];
// STATEMENT: own[4] = 1; x = own[1];
// STATEMENT: own[-1] = 1; x = own[1];
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { int own[4] = {0}; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
