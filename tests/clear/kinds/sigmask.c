// Whether a handler runs.
// STATEMENT: pthread_sigmask(SIG_BLOCK, &s, 0);
// STATEMENT:
// STATEMENT: pthread_sigmask(SIG_UNBLOCK, &s, 0);
// STATEMENT: sigprocmask(SIG_SETMASK, &s, 0);
#include "all.h"

int x; static sigset_t s; static void h(int n) { x += n; }
HELPERS
static void *w(void *p) { STATEMENT raise(SIGUSR1); return p; }
int main(void) { pthread_t t; signal(SIGUSR1, h); sigemptyset(&s); sigaddset(&s, SIGUSR1); pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
