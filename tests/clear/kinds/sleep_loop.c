// How a loop that looks at others pauses.
// STATEMENT: sleep(1);
// STATEMENT:
// STATEMENT: sched_yield();
// STATEMENT: usleep(10);
#include "all.h"

atomic_int x; 
HELPERS
static void *w(void *p) { int n = 0; while (!x) { STATEMENT n++; } return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; pthread_join(t, 0); return 0; }
