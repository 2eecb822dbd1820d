// Signals for another thread, and timers.
// STATEMENT:
// STATEMENT: pthread_kill(t, SIGUSR1);
// STATEMENT: pthread_kill(t, SIGUSR2);
// STATEMENT: signal(SIGUSR1, SIG_IGN); pthread_kill(t, SIGUSR1);
// STATEMENT: signal(SIGUSR1, again); pthread_kill(t, SIGUSR1);
// STATEMENT: kill(getpid(), SIGUSR1);
// STATEMENT: alarm(1);
// STATEMENT: alarm(1); alarm(0);
// STATEMENT: setitimer(ITIMER_REAL, &tenth, 0);
// STATEMENT: signal(SIGALRM, again); ualarm(5, 0);
#include "all.h"
#include <sys/time.h>

static int x; static pthread_t t; static struct itimerval tenth = {{0, 0}, {0, 100000}};
static void h(int n) { x = n; } static void again(int n) { x = x + n; }
HELPERS
static void *w(void *p) { x = 1; int y = x; sleep(1); return y == x ? p : 0; }
int main(void) { (void)again, (void)tenth; signal(SIGUSR1, h); signal(SIGALRM, h); pthread_create(&t, 0, w, 0); STATEMENT pthread_join(t, 0); return 0; }
