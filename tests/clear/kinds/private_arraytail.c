// An access to a thread's own variable.
// LOCAL: the statement uses variables of its function
// STATEMENT: s.a[1] = 1; x = s.n;
// STATEMENT: s.a[2] = 1; x = s.n;
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { struct { int n; int a[2]; } s = {0, {0}}; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
