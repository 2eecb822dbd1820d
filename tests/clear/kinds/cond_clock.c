// The clock of a wait with a limit.
// STATEMENT: pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
// STATEMENT:
// STATEMENT: pthread_condattr_setclock(&a, CLOCK_REALTIME);
#include "all.h"

int x; pthread_condattr_t a; pthread_cond_t c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) { pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; struct timespec ts; pthread_condattr_init(&a); STATEMENT pthread_cond_init(&c, &a); pthread_create(&t, 0, w, 0); clock_gettime(CLOCK_MONOTONIC, &ts); ts.tv_sec += 5; pthread_mutex_lock(&m); while (!x) if (pthread_cond_timedwait(&c, &m, &ts)) break; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
