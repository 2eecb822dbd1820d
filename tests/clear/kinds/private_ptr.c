// An access to a thread's own variable.
// LOCAL: the statement uses variables of its function
// STATEMENT: q[3] = 1;
// STATEMENT: q[4] = 1;
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { int own[4] = {0}; int *q = own; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
