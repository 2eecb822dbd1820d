// A weak function that nobody defines.
// STATEMENT: if (weak_function) weak_function(); else x++;
// STATEMENT: if (weak_function) weak_function();
// STATEMENT: weak_function();
#include "all.h"
__attribute__((weak)) void weak_function(void);
static int x;
HELPERS
static void *v(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, v, 0); x++; pthread_join(t, 0); return 0; }
