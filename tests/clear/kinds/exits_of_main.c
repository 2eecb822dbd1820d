// How main ends, with a handler that uses what a thread uses.
// STATEMENT: pthread_join(t, 0);
// STATEMENT: return 0;
// STATEMENT: pthread_exit(0);
// STATEMENT: exit(0);
// STATEMENT: _exit(0);
// STATEMENT: quick_exit(0);
#include "all.h"
static int x; static pthread_t t;
static void last(void) { x++; }
static void *w(void *p) { x++; return p; }
HELPERS
int main(void) { atexit(last); pthread_create(&t, 0, w, 0); STATEMENT return 0; }
