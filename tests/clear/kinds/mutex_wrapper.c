// A lock.
// STATEMENT: pthread_mutex_lock(&m);
// STATEMENT:
#include "all.h"

int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) { STATEMENT x++; pthread_mutex_trylock(&m); pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
