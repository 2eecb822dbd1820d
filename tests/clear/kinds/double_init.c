// An object is made again.
// STATEMENT:
// STATEMENT: pthread_mutex_init(&m, 0);
// STATEMENT: m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
// STATEMENT: memset(&m, 0, sizeof m);
// STATEMENT: pthread_mutex_destroy(&m);
// STATEMENT: pthread_mutex_destroy(&m); pthread_mutex_init(&m, 0);
#include "all.h"
static pthread_mutex_t m; static int x;
HELPERS
static void *w(void *q) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return q; }
int main(void) { pthread_mutex_init(&m, 0); pthread_t t; pthread_create(&t, 0, w, 0); STATEMENT w(0); pthread_join(t, 0); return 0; }
