// A thread that is joined is detached.
// STATEMENT:
// STATEMENT: pthread_detach(t);
#include "all.h"

int x; static pthread_t t;
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { pthread_create(&t, 0, w, 0); STATEMENT pthread_join(t, 0); return x - 1; }
