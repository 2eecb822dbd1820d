// The time itself is edited.
// STATEMENT: end = time(0) + 3;
// STATEMENT: end = 0;
// STATEMENT: end = time(0) - 1;
// STATEMENT: end = time(0);
// STATEMENT: end = 1ull << 40;
#include "all.h"
static atomic_int ready; static time_t end; static int x;
HELPERS
static void *w(void *p) { x = 1; ready = 1; return p; }
int main(void) { STATEMENT pthread_t t; pthread_create(&t, 0, w, 0); while (!ready && time(0) < end) {} if (ready) x++; else assert(time(0) >= end); pthread_join(t, 0); return 0; }
