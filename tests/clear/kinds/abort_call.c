// Ends by signals.
// STATEMENT:
// STATEMENT: abort();
// STATEMENT: raise(SIGABRT);
// STATEMENT: raise(SIGTERM);
// STATEMENT: kill(getpid(), SIGKILL);
#include "all.h"

atomic_int x;
HELPERS
static void *w(void *p) { if (x == 2) { STATEMENT } x = 3; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; x = 2; pthread_join(t, 0); return 0; }
