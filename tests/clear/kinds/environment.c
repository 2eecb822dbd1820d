// The environment.
// STATEMENT:
// STATEMENT: setenv("A", "1", 1);
// STATEMENT: putenv("A=1");
// STATEMENT: unsetenv("A");
// STATEMENT: setenv("B", "1", 1);
#include "all.h"

int x;
HELPERS
static void *w(void *p) { if (getenv("A")) x++; return p; }
int main(void) { pthread_t t; STATEMENT pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
