// The time until which is waited: no time at all, too.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: ts.tv_nsec = 2000000000;
// STATEMENT: ts.tv_sec = 0;
// STATEMENT: memset(&ts, 0xff, sizeof ts);
#include "all.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int ready;
HELPERS
static void *w(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); struct timespec ts; clock_gettime(CLOCK_REALTIME, &ts); ts.tv_sec++; STATEMENT pthread_mutex_lock(&m); int e = 0; while (!ready && e != ETIMEDOUT) { e = pthread_cond_timedwait(&c, &m, &ts); assert(e != EINVAL); } pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
