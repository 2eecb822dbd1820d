// Ways to end without a word.
// STATEMENT:
// STATEMENT: __builtin_trap();
// STATEMENT: __builtin_unreachable();
// STATEMENT: assert(0);
// STATEMENT: *(volatile int *)0 = 1;
#include "all.h"
static atomic_int x;
HELPERS
static void *w(void *p) { if (x == 1) { STATEMENT } return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; x = 2; pthread_join(t, 0); return 0; }
