// A cleanup handler.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: pthread_exit(0);
#include "all.h"

int x; static void d(void *v) { (void)v; x++; }
HELPERS
static void *w(void *p) { pthread_cleanup_push(d, 0); STATEMENT pthread_cleanup_pop(0); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
