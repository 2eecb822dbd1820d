// Which element is meant.
// STATEMENT: v[0]++;
// STATEMENT: v[1]++;
// STATEMENT: v[k]++;
// STATEMENT: v[1 - k]++;
// STATEMENT: *(v + 2 - 1) = 1;
// STATEMENT: v[4]++;
#include "all.h"

int v[4], k;
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); v[1]++; pthread_join(t, 0); return 0; }
