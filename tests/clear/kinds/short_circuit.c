// Which operands are evaluated.
// LOCAL: an expression
// STATEMENT: if (off && x) y++;
// STATEMENT: if (off & x) y++;
// STATEMENT: if (off || x) y++;
// STATEMENT: if (off ? x : 0) y++;
// STATEMENT: if (sizeof(x = 2) > 9) y++;
// STATEMENT: y += off * x;
#include "all.h"
static int x, y; static const int off = 0;
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; pthread_join(t, 0); return y > 5; }
