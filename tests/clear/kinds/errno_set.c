// Calls that fail leave errno.
// STATEMENT:
// STATEMENT: errno = 5;
// STATEMENT: close(-1);
// STATEMENT: open("/nowhere/at/all", O_RDONLY);
// STATEMENT: strtol("99999999999999999999999", 0, 10);
#include "all.h"

int x;
HELPERS
static void *w(void *p) { errno = 0; STATEMENT if (errno) x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
