// An access to a thread's own variable.
// LOCAL: the statement uses variables of its function
// STATEMENT: memcpy(to, own, 4); x = to[0];
// STATEMENT: memcpy(to, own, 5); x = to[0];
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { char own[4] = "abc", to[4]; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
