// What a cancelled thread leaves behind: a lock.
// STATEMENT: pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
// STATEMENT:
// STATEMENT: pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
#include "all.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static sem_t s; static int x;
HELPERS
static void *w(void *p) { STATEMENT pthread_mutex_lock(&m); sem_wait(&s); x++; pthread_mutex_unlock(&m); return p; }
int main(void) { sem_init(&s, 0, 0); pthread_t t; pthread_create(&t, 0, w, 0); pthread_cancel(t); sem_post(&s); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
