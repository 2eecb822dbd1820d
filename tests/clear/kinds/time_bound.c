// How long is waited decides what can happen.
// STATEMENT: while (!ready) sched_yield();
// STATEMENT: while (!ready && time(0) < end) sched_yield();
// STATEMENT: for (int i = 0; i < 5 && !ready; i++) usleep(10);
// STATEMENT: while (!ready && clock() < 5) {}
// STATEMENT: do { sleep(1); } while (!ready && time(0) < end);
// STATEMENT: sleep(9);
#include "all.h"
static atomic_int ready; static time_t end; static int x;
HELPERS
static void *w(void *p) { x = 1; ready = 1; return p; }
int main(void) { end = time(0) + 3; pthread_t t; pthread_create(&t, 0, w, 0); STATEMENT x++; pthread_join(t, 0); return 0; }
