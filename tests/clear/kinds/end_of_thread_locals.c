// What lives as long as its thread.
// STATEMENT: static _Thread_local int own; shared = &own;
// STATEMENT: static int own; shared = &own;
// STATEMENT: int *own = malloc(4); shared = own; *own = 0;
// STATEMENT: int own; shared = &own;
// STATEMENT: shared = &other;
// LOCAL: declarations
#include "all.h"
static int *shared, other;
HELPERS
static void *w(void *q) { STATEMENT return q; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); *shared = 1; return 0; }
