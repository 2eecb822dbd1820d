// An access to a thread's own variable.
// LOCAL: the statement uses variables of its function
// STATEMENT: (&own)[0] = 1; x = own;
// STATEMENT: (&own)[1] = 1; x = own;
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { int own = 0; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
