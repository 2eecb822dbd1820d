// How often a loop gives way.
// STATEMENT: while (!f) sched_yield();
// STATEMENT: for (int k = 0; k < 2 && !f; k++) sched_yield();
// STATEMENT: if (!f) sched_yield();
// STATEMENT: do sched_yield(); while (!f);
#include "all.h"

int x; atomic_int f;
HELPERS
static void *w(void *p) { STATEMENT x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; f = 1; pthread_join(t, 0); return 0; }
