// Another thread's end of the process.
// STATEMENT: sleep(1);
// STATEMENT: exit(0);
// STATEMENT: _Exit(0);
// STATEMENT: quick_exit(0);
// STATEMENT: pthread_exit(0);
// STATEMENT: abort();
// STATEMENT: raise(SIGTERM);
#include "all.h"
static int *p; static void last(void) { free(p); }
HELPERS
static void *w(void *q) { STATEMENT return q; }
int main(void) { p = malloc(4); *p = 0; atexit(last); pthread_t t; pthread_create(&t, 0, w, 0); *p = 1; pthread_join(t, 0); return 0; }
