// A handler of the end.
// STATEMENT:
// STATEMENT: atexit(late);
// STATEMENT: on_exit((void (*)(int, void *))late, 0);
#include "all.h"

int x; static void late(void) { x++; }
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_detach(t); STATEMENT return 0; }
