// The time until which is waited: no time at all, too.
// LOCAL: the statement uses variables of its function
// STATEMENT: struct timespec ts = {9999999999, 0};
// STATEMENT: struct timespec ts = {9999999999, 1000000000};
// STATEMENT: struct timespec ts = {9999999999, -1};
// STATEMENT: struct timespec ts = {0, 0};
#include "all.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static sem_t s; static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static int x;
HELPERS
static int bad(int e) { return e != 0 && e != ETIMEDOUT; }
static void *w(void *p) { STATEMENT int e = pthread_mutex_timedlock(&m, &ts), f = sem_timedwait(&s, &ts) ? errno : 0, g = pthread_rwlock_timedrdlock(&l, &ts); assert(!bad(e) && !bad(f) && !bad(g)); if (!e) pthread_mutex_unlock(&m); if (!g) pthread_rwlock_unlock(&l); return p; }
int main(void) { sem_init(&s, 0, 0); pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, w, 0); sem_post(&s); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
