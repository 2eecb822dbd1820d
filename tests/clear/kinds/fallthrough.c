// Where a case ends.
// LOCAL: the statement uses variables of its function
// STATEMENT: break;
// STATEMENT:
// STATEMENT: return p;
// STATEMENT: if (f) break;
#include "all.h"

int x; atomic_int f;
HELPERS
static void *w(void *p) { switch (f) { case 0: f = 2; STATEMENT case 1: x++; break; default: break; } return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
