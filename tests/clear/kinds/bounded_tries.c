// How often a lock is tried.
// LOCAL: the statement uses variables of its function
// STATEMENT: for (k = 0; k < 3 && pthread_mutex_trylock(&m); k++) {} if (k == 3) return p;
// STATEMENT: for (k = 0; k < 3 && pthread_mutex_trylock(&m); k++) {}
// STATEMENT: for (k = 0; k < 1 && pthread_mutex_trylock(&m); k++) {} if (k == 3) return p;
// STATEMENT: while (pthread_mutex_trylock(&m)) {}
#include "all.h"

int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) { int k = 0; (void)k; STATEMENT x++; pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
