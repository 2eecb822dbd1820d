// A lock that may be taken again, and waits.
// STATEMENT: pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
// STATEMENT: pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL);
// STATEMENT: pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
// STATEMENT:
#include "all.h"
static pthread_mutex_t m; static pthread_mutexattr_t a; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int r;
HELPERS
static void *w(void *q) { pthread_mutex_lock(&m); r = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return q; }
int main(void) { pthread_mutexattr_init(&a); STATEMENT pthread_mutex_init(&m, &a); pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); while (!r) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
