// The same with the handlers of at_quick_exit.
// STATEMENT: quick_exit(0);
// STATEMENT:
#include "all.h"

int x; 
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { pthread_t t; STATEMENT pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
