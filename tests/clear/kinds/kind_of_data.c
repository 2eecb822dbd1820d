// How a variable is declared decides whether it is shared.
// LOCAL: a declaration
// STATEMENT: static _Atomic int x;
// STATEMENT: static int x;
// STATEMENT: static _Thread_local int x;
// STATEMENT: static volatile int x;
// STATEMENT: int x = 0;
#include "all.h"
HELPERS
static int add(void) { STATEMENT return x++; }
static void *w(void *p) { add(); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); add(); pthread_join(t, 0); return 0; }
