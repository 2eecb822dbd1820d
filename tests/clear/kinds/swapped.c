// The same statements in another order.
// STATEMENT: pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
// STATEMENT: pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++;
// STATEMENT: x++; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
// STATEMENT: pthread_mutex_unlock(&m); x++; pthread_mutex_lock(&m);
#include "all.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x;
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
