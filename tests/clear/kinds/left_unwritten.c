// LOCAL
// A local that a path leaves unwritten, and decides by.
// STATEMENT: int n = 0; if (n > 1) x = 1;
// STATEMENT: int n; if (n > 1) x = 1;
// STATEMENT: int n; switch (x) { case 0: break; default: n = 0; } if (n > 1) x = 1;
// STATEMENT: struct s s = {x}; if (s.b > 1) x = 1;
// STATEMENT: struct s s; s.a = x; if (s.b > 1) x = 1;
// STATEMENT: int b[4]; memset(b, 0, sizeof b); if (b[x] > 1) x = 1;
// STATEMENT: int b[4]; if (b[x] > 1) x = 1;
// STATEMENT: int *b = malloc(4); *b = 0; if (*b > 1) x = 1; free(b);
// STATEMENT: int *b = malloc(4); if (*b > 1) x = 1; free(b);
#include "all.h"

struct s { int a, b; };
static int x;
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
