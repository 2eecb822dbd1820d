// Divisions by functions of the library.
// STATEMENT: y = 1;
// STATEMENT: y = 0;
#include "all.h"

int x;
static int y = 2;
HELPERS
static void *w(void *p) { STATEMENT div_t d = div(7, y); (void)d; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
