// One loop, or two: the same statements in the same order, each with the same condition.
// STATEMENT: for (int i = 0; i < 2; i++) { pthread_create(&t[i], 0, w, 0); pthread_join(t[i], 0); }
// STATEMENT: for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
// STATEMENT: int i = 0; again: pthread_create(&t[i], 0, w, 0); if (++i < 2) goto again; i = 0; more: pthread_join(t[i], 0); if (++i < 2) goto more;
// STATEMENT: int i = 0; again: pthread_create(&t[i], 0, w, 0); pthread_join(t[i], 0); if (++i < 2) goto again;
// STATEMENT: for (int k = 0; k < 1; k++) { for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); }
#include "all.h"

static int x; static pthread_t t[2];
static void *w(void *p) { x++; return p; }
HELPERS
int main(void) { STATEMENT return 0; }
