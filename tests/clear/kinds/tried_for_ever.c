// How often a lock is tried that one thread may keep.
// LOCAL: the statement uses variables of its function
// STATEMENT: if (pthread_mutex_trylock(&m)) return p;
// STATEMENT: while (pthread_mutex_trylock(&m)) {}
// STATEMENT: for (k = 0; pthread_mutex_trylock(&m); k = k == 1500 ? 0 : k + 1) usleep(1);
// STATEMENT: for (k = 0; pthread_mutex_trylock(&m); k = k == 1500 ? 0 : k + 1) {}
#include "all.h"

int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) { int k = 0; (void)k; STATEMENT x++; pthread_mutex_unlock(&m); return p; }
static void *keeps(void *p) { pthread_mutex_lock(&m); if (!x) return p; pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, keeps, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
