// Waits with and without an end.
// STATEMENT: while (!ready) pthread_cond_wait(&c, &m);
// STATEMENT: while (!ready) if (pthread_cond_timedwait(&c, &m, &later)) break;
// STATEMENT: while (!ready) pthread_cond_timedwait(&c, &m, &later);
// STATEMENT: if (!ready) pthread_cond_timedwait(&c, &m, &later);
// STATEMENT: while (!ready) if (pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &later) == ETIMEDOUT) break;
// STATEMENT: while (!ready) { pthread_mutex_unlock(&m); sched_yield(); pthread_mutex_lock(&m); }
#include "all.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int ready; static struct timespec later = {5, 0};
HELPERS
static void *w(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); STATEMENT assert(ready == 1); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
