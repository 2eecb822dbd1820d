// Signals that the process sends to itself.
// STATEMENT:
// STATEMENT: alarm(1);
// STATEMENT: raise(SIGALRM);
// STATEMENT: kill(getpid(), SIGALRM);
// STATEMENT: pthread_kill(pthread_self(), SIGALRM);
#include "all.h"

int x; static void h(int n) { x += n; }
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { pthread_t t; signal(SIGALRM, h); pthread_create(&t, 0, w, 0); STATEMENT pthread_join(t, 0); return 0; }
