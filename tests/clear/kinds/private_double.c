// An access to a thread's own variable.
// LOCAL: the statement uses variables of its function
// STATEMENT: own[1] = 1; x = (int)own[0];
// STATEMENT: own[2] = 1; x = (int)own[0];
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { double own[2] = {0}; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
