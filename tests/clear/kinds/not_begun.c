// Threads that were never started.
// STATEMENT: return 0;
// STATEMENT:
// STATEMENT: if (n == 0) return 0;
// STATEMENT: exit(0);
// STATEMENT: if (n) return 0;
// LOCAL: returns
#include "all.h"
static int n;
HELPERS
static void *v(void *p) { n++; return p; }
int main(void) { pthread_t t; STATEMENT pthread_create(&t, 0, v, 0); n++; pthread_join(t, 0); return 0; }
