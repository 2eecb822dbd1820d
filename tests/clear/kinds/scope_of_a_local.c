// A block that ends earlier: another thread, or the own one, still has the address of its variable.
// STATEMENT: { int own = 3; pthread_create(&t, 0, w, &own); pthread_join(t, 0); }
// STATEMENT: { int own = 3; pthread_create(&t, 0, w, &own); } pthread_join(t, 0);
// STATEMENT: int *q; { int own = 3; q = &own; pthread_create(&t, 0, w, q); pthread_join(t, 0); } if (*q == 9) abort();
// STATEMENT: int *q; int own = 3; { q = &own; pthread_create(&t, 0, w, q); pthread_join(t, 0); } if (*q == 9) abort();
// STATEMENT: for (int i = 0; i < 2; i++) { int own = i; pthread_create(&t, 0, w, &own); if (i < 1) pthread_join(t, 0); } pthread_join(t, 0);
#include "all.h"

static pthread_t t;
static void *w(void *p) { return *(int *)p == 9 ? p : 0; }
HELPERS
int main(void) { STATEMENT return 0; }
