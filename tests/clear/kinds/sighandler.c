// Which handler runs.
// STATEMENT:
// STATEMENT: signal(SIGUSR1, h);
// STATEMENT: signal(SIGUSR1, SIG_IGN);
// STATEMENT: signal(SIGUSR1, SIG_DFL);
#include "all.h"

int x; static void h(int n) { x += n; } static void g(int n) { (void)n; }
HELPERS
static void *w(void *p) { raise(SIGUSR1); return p; }
int main(void) { pthread_t t; signal(SIGUSR1, g); STATEMENT pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
