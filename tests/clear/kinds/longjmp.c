// A jump over what follows.
// LOCAL: the statement uses variables of its function
// STATEMENT: longjmp(j, 1);
// STATEMENT:
#include "all.h"

int x; static jmp_buf j;
HELPERS
static void *w(void *p) { if (!setjmp(j)) { STATEMENT x++; } return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
