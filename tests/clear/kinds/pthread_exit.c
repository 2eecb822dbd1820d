// The thread ends before its access.
// STATEMENT: pthread_exit(0);
// STATEMENT:
#include "all.h"

int x;
HELPERS
static void *w(void *p) { STATEMENT x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
