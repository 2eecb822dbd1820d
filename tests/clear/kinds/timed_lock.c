// A lock that the clock may refuse.
// LOCAL: the statement uses variables of its function
// STATEMENT: if (pthread_mutex_timedlock(&m, &later)) return p;
// STATEMENT: pthread_mutex_timedlock(&m, &later);
// STATEMENT: pthread_mutex_lock(&m);
// STATEMENT: if (pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &later)) return p;
// STATEMENT: for (int k = 0; pthread_mutex_timedlock(&m, &later); k++) if (k == 2) return p;
#include "all.h"

int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static const struct timespec later = {1, 0};
HELPERS
static void *w(void *p) { (void)later; STATEMENT x++; pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
